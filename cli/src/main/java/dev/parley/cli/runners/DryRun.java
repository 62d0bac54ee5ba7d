package dev.parley.cli.runners;

import dev.parley.cli.agents.RunSetup;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.plan.PlanFile;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.orchestration.plan.Waves;
import dev.parley.orchestration.settings.Durations;
import dev.parley.orchestration.wave.WaveSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Previews a plan: its waves, files in conflict, and its limits. */
final class DryRun {
  private DryRun() {}

  static int show(Invocation invocation, String plan) {
    List<PlannedTask> tasks = PlanFile.read(plan);
    List<List<PlannedTask>> waves = Waves.of(tasks);
    RunSetup setup = RunSetup.of(invocation);
    WaveSettings settings = WavesCommand.settings(invocation.arguments(), setup);
    RunLimits limits = setup.limits();
    long asks = asks(tasks.size(), settings);
    long most = Math.min(asks, limits.asks());
    Output out = invocation.out();
    if (out.isJson()) {
      List<Json> json = new ArrayList<>();
      for (List<PlannedTask> wave : waves) {
        json.add(Json.of(wave.stream().map(task -> Json.of(task.number())).toList()));
      }
      out.line(
          Json.object()
              .put("tasks", tasks.size())
              .put("waves", Json.of(json))
              .put("mostAsks", most)
              .put("mostCostMicros", limits.costMicros())
              .put("mostMillis", limits.run().toMillis())
              .build());
      return ExitCode.OK;
    }
    out.line("Plan: " + tasks.size() + " tasks, " + waves.size() + " waves. Nothing is done.");
    for (int i = 0; i < waves.size(); i++) {
      List<String> names =
          waves.get(i).stream()
              .map(task -> "Task " + task.number() + ": " + WaveText.plain(task.title()))
              .toList();
      out.line("  Wave " + i + ": " + String.join(", ", names));
    }
    WaveText.shared(tasks).forEach(out::line);
    out.line(
        "At most "
            + most
            + " asks ("
            + (asks > most ? "max_asks; the settings alone would allow " + asks : parts(settings))
            + "), "
            + Durations.show(limits.run())
            + " (run_timeout) and $"
            + BigDecimal.valueOf(limits.costMicros(), 6).stripTrailingZeros().toPlainString()
            + " (max_cost, if agents report it).");
    return ExitCode.OK;
  }

  private static long asks(int tasks, WaveSettings settings) {
    return (long) tasks
        * (settings.reruns() + 1)
        * settings.iterations()
        * (settings.spec() ? 2 : 1);
  }

  private static String parts(WaveSettings settings) {
    return "each task "
        + (settings.reruns() + 1)
        + " times, "
        + settings.iterations()
        + " iterations"
        + (settings.spec() ? ", two asks each" : "");
  }
}
