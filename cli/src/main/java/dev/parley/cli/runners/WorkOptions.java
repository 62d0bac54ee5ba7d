package dev.parley.cli.runners;

import dev.parley.cli.agents.RunSetup;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Times;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.settings.SettingsTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What loops and waves share: options, and the table {@code [work]} of parley.toml. */
record WorkOptions(
    String agent,
    String reviewer,
    int iterations,
    int stuck,
    int cap,
    LoopSettings.Times times,
    boolean spec,
    boolean requireTests,
    boolean allowMain,
    List<Gate> gates,
    String setUp,
    String tearDown) {
  private static final String USUAL_AGENT = "claude";

  /** The default number of notices that an agent is shown. */
  private static final int CAP = 20;

  private static final Option AGENT =
      Option.value(
          "--agent",
          "agent",
          "who does the work; parley agents lists them (claude); waves: a,b take turns");
  private static final Option REVIEWER =
      Option.value("--reviewer", "agent", "who says whether the task is met (the agent)");
  private static final Option ITERATIONS =
      Option.value("--max-iterations", "n", "how often a task is tried (5)");
  private static final Option IMPLEMENT =
      Option.value("--implement-timeout", "time", "how long a turn of the agent may take (5m)");
  private static final Option TEST =
      Option.value("--test-timeout", "time", "how long tests and other gates may take (2m)");
  private static final Option SPEC =
      Option.value("--spec-timeout", "time", "how long the reviewer may take (2m)");
  private static final Option TASK_TIME =
      Option.value("--task-timeout", "time", "how long one task may take in all (1h)");
  private static final Option STUCK =
      Option.value(
          "--stuck-threshold", "n", "ask for another way after n failures that are the same (3)");
  private static final Option SKIP_SPEC =
      Option.flag("--skip-spec", "do not ask whether the task is met");
  private static final Option REQUIRE_TESTS =
      Option.flag("--require-tests", "a project without tests fails");
  private static final Option GATE =
      Option.value("--gate", "command", "a command that must succeed, beside the tests").repeated();
  private static final Option ALLOW_MAIN =
      Option.flag("--allow-main", "allow work on the branch main or master");

  /** The options of a moderated project, whose review replaces the gate that asks an agent. */
  static final List<Option> MODERATED =
      List.of(AGENT, REVIEWER, ITERATIONS, IMPLEMENT, TEST, TASK_TIME, STUCK, GATE, ALLOW_MAIN);

  static final List<Option> ALL =
      List.of(
          AGENT,
          REVIEWER,
          ITERATIONS,
          IMPLEMENT,
          TEST,
          SPEC,
          TASK_TIME,
          STUCK,
          SKIP_SPEC,
          REQUIRE_TESTS,
          GATE,
          ALLOW_MAIN);

  static WorkOptions of(Arguments arguments, RunSetup run) {
    SettingsTable set = run.settings().section("work");
    String agent = first(arguments.value(AGENT), set.text("agent"), USUAL_AGENT);
    List<String> agents =
        Arrays.stream(agent.split(",", -1))
            .map(name -> run.settings().agents().named(name.strip()).name())
            .toList();
    String reviewer = first(arguments.value(REVIEWER), set.text("reviewer"), agents.getFirst());
    LoopSettings.Times usual = LoopSettings.Times.DEFAULT;
    LoopSettings.Times times =
        new LoopSettings.Times(
            time(arguments, IMPLEMENT, set(run, "IMPLEMENT", usual.implement())),
            time(arguments, TEST, set(run, "TEST", usual.test())),
            time(arguments, SPEC, set(run, "SPEC", usual.spec())),
            time(arguments, TASK_TIME, set(run, "GLOBAL", usual.all())));
    List<Gate> gates = new ArrayList<>();
    for (String line : Objects.requireNonNullElse(set.texts("gates"), List.<String>of())) {
      gates.add(Gate.ofShell("gate-" + (gates.size() + 1), line, times.test()));
    }
    for (String line : arguments.values(GATE)) {
      gates.add(Gate.ofShell("gate-" + (gates.size() + 1), line, times.test()));
    }
    boolean requireTests =
        arguments.has(REQUIRE_TESTS) || Boolean.TRUE.equals(set.flag("require_tests"));
    WorkOptions options =
        new WorkOptions(
            String.join(",", agents),
            run.settings().agents().named(reviewer).name(),
            number(arguments, ITERATIONS, LoopSettings.ITERATIONS),
            number(arguments, STUCK, variable(run, "RALPH_STUCK_THRESHOLD", 1, LoopSettings.STUCK)),
            variable(run, "BUS_MAX_BOARD_INJECT", 0, CAP),
            times,
            !arguments.has(SKIP_SPEC),
            requireTests,
            arguments.has(ALLOW_MAIN),
            gates,
            first(set.text("set_up"), ""),
            first(set.text("tear_down"), ""));
    set.end();
    return options;
  }

  private static int variable(RunSetup run, String name, int least, int otherwise) {
    String text = run.settings().variable(name);
    return text == null
        ? otherwise
        : IntOption.number(name, text, least, LoopSettings.MOST_ITERATIONS);
  }

  /** A time that seed 000 has a variable for. */
  private static Duration set(RunSetup run, String what, Duration otherwise) {
    String name = "RALPH_TIMEOUT_" + what;
    String text = run.settings().variable(name);
    return text == null ? otherwise : time(name, text, otherwise);
  }

  private static String first(@Nullable String... texts) {
    for (String text : texts) {
      if (text != null) {
        return text;
      }
    }
    return "";
  }

  static int number(Arguments arguments, Option option, int otherwise) {
    String text = arguments.value(option);
    return text == null
        ? otherwise
        : IntOption.number(option.name(), text, 1, LoopSettings.MOST_ITERATIONS);
  }

  static Duration time(Arguments arguments, Option option, Duration otherwise) {
    return time(option.name(), arguments.value(option), otherwise);
  }

  /** A time; a bare number means seconds. */
  private static Duration time(String name, @Nullable String text, Duration otherwise) {
    if (text != null && text.matches("[1-9]\\d{0,6}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    return Times.duration(name, text, otherwise);
  }
}
