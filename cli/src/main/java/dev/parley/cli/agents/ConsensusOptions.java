package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.terminal.Times;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.Agents;
import dev.parley.orchestration.consensus.ConsensusPlan;
import dev.parley.orchestration.consensus.Mode;
import dev.parley.orchestration.consensus.ReviewSubject;
import dev.parley.orchestration.settings.Settings;
import dev.parley.orchestration.settings.SettingsTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The options and settings of a consensus. A flag comes before a variable, and a variable before
 * {@code [consensus]} in {@code parley.toml}.
 */
final class ConsensusOptions {
  static final Option AGENTS =
      Option.value("--agents", "a,b,c", "who takes part, in the order of chairmen (all)");
  private static final Option DEBATE = Option.flag("--debate", "let the agents debate");
  private static final Option ROUNDS =
      Option.value(
          "--debate-rounds", "n", "rounds of debate, at most 2 (CONSENSUS_DEBATE_ROUNDS, 1)");
  private static final Option STAGE1 =
      Option.value("--stage1-timeout", "time", "for an analysis (CONSENSUS_STAGE1_TIMEOUT, 60s)");
  private static final Option STAGE2 =
      Option.value("--stage2-timeout", "time", "for the synthesis (CONSENSUS_STAGE2_TIMEOUT, 60s)");
  private static final Option DEBATE_TIME =
      Option.value("--debate-timeout", "time", "for a rebuttal (CONSENSUS_DEBATE_TIMEOUT, 60s)");
  private static final Option NAMED =
      Option.flag("--named", "show agents each other's names instead of letters");
  static final Option DRY_RUN =
      Option.flag(
          "--dry-run", "show all prompts, who is asked and what it takes at most; ask nobody");
  static final Option FORMAT =
      Option.value("--format", "format", "how the result is printed (text)")
          .choices("text", "markdown", "json", "sarif");
  static final Option FAIL_ON =
      Option.value(
              "--fail-on", "severity", "code review: exit with 6 if a finding is as bad as this")
          .choices("critical", "important", "suggestion");

  static final List<Option> ALL =
      List.of(AGENTS, DEBATE, ROUNDS, STAGE1, STAGE2, DEBATE_TIME, NAMED, DRY_RUN, FORMAT, FAIL_ON);

  private static final String MAX_DIFF = "max_diff";
  private static final Duration USUAL = Duration.ofSeconds(60);

  private final RunSetup setup;
  private final Arguments arguments;
  private final Settings settings;

  ConsensusOptions(RunSetup setup) {
    this.setup = setup;
    this.arguments = setup.invocation().arguments();
    this.settings = setup.settings();
  }

  ConsensusPlan plan(Mode mode, String subject, String title) {
    SettingsTable set = settings.section("consensus");
    List<String> agents = agents(set.texts("agents"));
    Boolean debate = set.flag("debate");
    Long setRounds = set.whole("debate_rounds", 1, ConsensusPlan.MOST_ROUNDS);
    Duration stage1 = set.duration("stage1_timeout", Duration.ofHours(1));
    Duration stage2 = set.duration("stage2_timeout", Duration.ofHours(1));
    Duration rebuttal = set.duration("debate_timeout", Duration.ofHours(1));
    var _ = mostDiff();
    set.end();
    boolean debates = arguments.has(DEBATE) || Boolean.TRUE.equals(debate);
    for (Option option : List.of(ROUNDS, DEBATE_TIME)) {
      if (!debates && arguments.has(option)) {
        throw ParleyException.invalid(
            "unexpected-option",
            option.name() + " has no effect without --debate.",
            "Add --debate, or leave it out.");
      }
    }
    return new ConsensusPlan(
        mode,
        agents,
        subject,
        title,
        debates ? rounds(setRounds) : 0,
        arguments.has(NAMED),
        ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE),
        setup.invocation().shell().folder(),
        time(STAGE1, "CONSENSUS_STAGE1_TIMEOUT", stage1),
        time(DEBATE_TIME, "CONSENSUS_DEBATE_TIMEOUT", rebuttal),
        time(STAGE2, "CONSENSUS_STAGE2_TIMEOUT", stage2));
  }

  /** How many characters of a diff agents see. */
  int mostDiff() {
    Long set = settings.section("consensus").whole(MAX_DIFF, 1_000, 10_000_000);
    return set == null ? ReviewSubject.MOST_DIFF : set.intValue();
  }

  private List<String> agents(@Nullable List<String> set) {
    Agents known = settings.agents();
    String typed = arguments.value(AGENTS);
    List<String> names =
        typed != null
            ? Arrays.stream(typed.split(",", -1)).map(String::strip).toList()
            : set != null ? set : known.names();
    List<String> agents = new ArrayList<>();
    for (String name : names) {
      AgentDefinition agent = known.named(name);
      if (agents.contains(agent.name())) {
        throw ParleyException.invalid(
            "agent-twice", agent.name() + " is named twice.", "Name each agent once.");
      }
      agents.add(agent.name());
    }
    if (agents.isEmpty()) {
      throw ParleyException.refused(
          "no-agents",
          "No agent can be asked.",
          "Install claude, codex or gemini, set the key of an API, or describe agents in"
              + " parley.toml; then look with parley agents.");
    }
    return agents;
  }

  private int rounds(@Nullable Long set) {
    String typed = arguments.value(ROUNDS);
    Integer rounds = typed == null ? null : number(typed);
    if (typed != null && rounds == null) {
      throw ParleyException.invalid(
          "bad-number", ROUNDS.name() + " \"" + typed + "\" is not a number.", "Write 1 or 2.");
    }
    if (rounds == null) {
      String variable = settings.variable("CONSENSUS_DEBATE_ROUNDS");
      rounds = variable == null ? null : number(variable);
    }
    int wanted = rounds != null ? rounds : set != null ? set.intValue() : 1;
    if (wanted > ConsensusPlan.MOST_ROUNDS) {
      setup
          .invocation()
          .notices()
          .say(
              "a debate has at most " + ConsensusPlan.MOST_ROUNDS + " rounds, not " + wanted + ".");
    }
    return Math.clamp(wanted, 0, ConsensusPlan.MOST_ROUNDS);
  }

  private static @Nullable Integer number(String text) {
    try {
      return Integer.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return null; // seed 000: the default counts
    }
  }

  /** A time with a unit, or seconds, where 0 means the default. */
  private Duration time(Option option, String variable, @Nullable Duration set) {
    String typed = arguments.value(option);
    Integer seconds = typed == null ? null : number(typed);
    if (typed != null && (seconds == null || seconds < 0)) {
      return RunOptions.within(option, typed, Duration.ofHours(24));
    }
    if (seconds != null && seconds > 0) {
      return Duration.ofSeconds(seconds);
    }
    String inEnvironment = settings.variable(variable);
    Integer given = inEnvironment == null ? null : number(inEnvironment);
    if (given == null && inEnvironment != null && inEnvironment.matches("[0-9]{1,6}[smh]")) {
      return Times.duration(variable, inEnvironment);
    }
    return given != null && given > 0 ? Duration.ofSeconds(given) : set != null ? set : USUAL;
  }
}
