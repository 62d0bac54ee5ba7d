package dev.parley.cli.runners;

import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Stop;
import dev.parley.core.Doorbell;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.wave.WaveRecord;
import dev.parley.orchestration.wave.WaveReport;
import dev.parley.orchestration.wave.WaveRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Shows the state of a run's tasks, once or continuously. */
final class WaveView {
  static final Parameter RUN =
      Parameter.optional("run", "which run: its id, the beginning of it, or last (last)");

  private static final Duration REDRAW = Duration.ofSeconds(1);

  private final RunRecord run;
  private final WaveRecord record;
  private final String state;

  private WaveView(Log log, @Nullable String word) {
    this.run = named(log, word);
    this.record = WaveRecord.of(log, run);
    this.state =
        run.isAlive() ? "running" : run.outcome().isEmpty() ? "interrupted" : run.outcome();
  }

  private static RunRecord named(Log log, @Nullable String word) {
    if (word != null && !word.equals("last")) {
      return RunRecord.named(log, word);
    }
    return RunRecord.all(log).stream()
        .filter(run -> run.kind().equals(WaveRunner.KIND))
        .reduce((before, after) -> after)
        .orElseThrow(() ->
            ParleyException.refused(
                "no-such-run",
                "There are no waves yet.",
                "Begin one: parley waves --plan <file>."));
  }

  /** Shows the current state. */
  static int once(Invocation invocation) {
    try (FileLog log = invocation.busToLookAt().openLog()) {
      WaveView view = new WaveView(log, invocation.arguments().word(RUN));
      Output out = invocation.out();
      if (out.isJson()) {
        out.line(view.json());
      } else {
        view.lines(out.width()).forEach(out::line);
      }
      return ExitCode.OK;
    }
  }

  /**
   * Shows the state until the run is over: redrawn in place on a terminal, otherwise printed at
   * each change.
   */
  static int watch(Invocation invocation) throws InterruptedException {
    Output out = invocation.out();
    AtomicBoolean ended = new AtomicBoolean();
    try (FileLog log = invocation.busToLookAt().openLog()) {
      WaveView view = new WaveView(log, invocation.arguments().word(RUN));
      String id = view.run.id();
      try (Doorbell bell = log.doorbell(new Prefix(new Topic("runs." + id)));
          Stop _ = Stop.onSignal(() -> ended.set(true))) {
        Screen screen = new Screen(out);
        screen.show(view);
        while (view.state.equals("running") && !ended.get()) {
          var _ = bell.await(REDRAW);
          view = new WaveView(log, id);
          screen.show(view);
        }
      }
    }
    return ExitCode.OK;
  }

  /** The content shown last, so that only changes are printed. */
  private static final class Screen {
    private final Output out;
    private String shown = "";
    private int drawn;

    Screen(Output out) {
      this.out = out;
    }

    void show(WaveView view) {
      // The running times change constantly, so off a terminal they do not count as changes.
      String content = view.json().toString();
      if (!out.isTerminal() && content.equals(shown)) {
        return;
      }
      shown = content;
      if (out.isJson()) {
        out.line(content);
      } else {
        List<String> lines = view.lines(out.width());
        // The first line written moves the cursor back to the start of the old table.
        String back = out.isTerminal() && drawn > 0 ? "\033[" + drawn + "A\r\033[J" : "";
        out.line(back + lines.getFirst());
        lines.subList(1, lines.size()).forEach(out::line);
        drawn = lines.size();
      }
      out.flush();
    }
  }

  private List<String> lines(int width) {
    return WaveText.status(record, state, Instant.now(), width);
  }

  private Json json() {
    return Json.object()
        .put("run", run.id())
        .put("state", state)
        .put("tasks", WaveReport.tasks(record))
        .build();
  }
}
