package dev.parley.cli.agents;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Devices;
import dev.parley.cli.terminal.Output;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.RunListener;
import org.jspecify.annotations.Nullable;

/**
 * Shows a run's events as they happen: a live table on a terminal, one line an event elsewhere, one
 * JSON object an event for programs.
 */
public final class RunProgress implements RunListener, AutoCloseable {
  private final Invocation invocation;
  private final Output out;
  private final @Nullable LiveAgents live;

  private RunProgress(Invocation invocation, @Nullable LiveAgents live) {
    this.invocation = invocation;
    this.out = invocation.out();
    this.live = live;
  }

  public static RunProgress of(Invocation invocation) {
    Devices devices = invocation.shell().devices();
    boolean person =
        !invocation.out().isJson()
            && devices.isTerminal(Devices.STDERR)
            && !"dumb".equals(invocation.shell().variable("TERM"));
    return new RunProgress(
        invocation,
        person
            ? LiveAgents.start(invocation.shell().err(), devices.width(), devices.height())
            : null);
  }

  @Override
  public void on(RunEvent event) {
    if (live != null) {
      live.on(event);
    } else if (out.isJson()) {
      out.line(json(event));
      out.flush();
    } else {
      invocation.notices().say(line(event));
    }
  }

  /** Stops drawing until the next event, because the user is asked a question meanwhile. */
  public void rest() {
    if (live != null) {
      live.rest();
    }
  }

  private static Json json(RunEvent event) {
    return switch (event) {
      case RunEvent.Asked asked ->
          Json.object()
              .put("event", "asked")
              .put("number", asked.number())
              .put("agent", asked.agent())
              .put("stage", asked.stage())
              .build();
      case RunEvent.Answered answered -> {
        Answer answer = answered.answer();
        Json.ObjectBuilder fields =
            Json.object()
                .put("event", "answered")
                .put("number", answered.number())
                .put("agent", answer.agent())
                .put("stage", answered.stage())
                .put("status", AnswerText.status(answer.status()))
                .put("millis", answer.duration().toMillis());
        if (!answer.error().isEmpty()) {
          fields.put("error", answer.error());
        }
        if (answered.known()) {
          fields.put("known", true);
        }
        yield AnswerText.usage(fields, answer.usage()).build();
      }
      case RunEvent.Said said ->
          Json.object().put("event", "said").put("text", said.text()).build();
    };
  }

  static String line(RunEvent event) {
    return switch (event) {
      case RunEvent.Asked asked -> asked.agent() + " (" + asked.stage() + "): asked";
      case RunEvent.Answered answered -> {
        Answer answer = answered.answer();
        yield answer.agent()
            + " ("
            + answered.stage()
            + "): "
            + AnswerText.status(answer.status()).replace('_', ' ')
            + (answer.error().isEmpty() ? "" : ": " + answer.error())
            + " ("
            + (answered.known()
                ? "known from before"
                : AnswerText.spent(answer.duration().toMillis(), answer.usage()))
            + ")";
      }
      case RunEvent.Said said -> said.text();
    };
  }

  @Override
  public void close() {
    if (live != null) {
      live.close();
    }
  }
}
