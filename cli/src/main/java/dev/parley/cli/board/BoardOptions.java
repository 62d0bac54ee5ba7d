package dev.parley.cli.board;

import dev.parley.cli.agents.BoardRun;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Body;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.MissingPolicy;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.work.BoardService.Speech;
import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of a board session. */
final class BoardOptions {
  static final Option PROPOSAL =
      Option.value("--proposal", "file", "the file with the proposal; - reads stdin");
  private static final Option ELECTORATE =
      Option.value(
          "--electorate", "agents", "the agents who vote (the directors CA,CPO,CSO,COO,CXO)");
  private static final Option POLICY =
      Option.value(
          "--policy",
          "policy",
          "five, majority, at-least-<n> or unanimous (five for five, else majority)");
  private static final Option ROUNDS =
      Option.value("--rounds", "n", "rounds of discussion, 0 to 20 (3)");
  private static final Option BLIND =
      Option.flag("--blind", "hide assessments until all are submitted");
  private static final Option DEADLINE =
      Option.value("--deadline", "time", "the longest time a phase may take");
  private static final Option MISSING =
      Option.value(
              "--missing", "rule", "how to treat electors missing at the end of a phase (abstain)")
          .choices("abstain", "reject", "escalate");
  private static final Option VERDICT =
      Option.value("--verdict", "verdict", "your verdict")
          .choices("APPROVE", "CONCERNS", "REJECT", "ABSTAIN");
  private static final Option SCORE = Option.value("--score", "n", "your score, 1 to 10");
  private static final Option CONCERN =
      Option.value("--concern", "text", "a concern; repeatable").repeated();
  private static final Option RECOMMENDATION =
      Option.value("--recommendation", "text", "a recommendation; repeatable").repeated();
  private static final Option TO =
      Option.value("--to", "director", "the elector you address, or ALL (ALL)");
  private static final Option KIND =
      Option.value("--kind", "kind", "the kind of remark")
          .choices("CHALLENGE", "AGREE", "QUESTION", "CLARIFY");
  static final Option BODY = Body.option("the remark");
  private static final Option CHANGES =
      Option.flag("--changes-my-verdict", "the discussion changed your verdict");
  private static final Option CONFIDENCE =
      Option.value("--confidence", "n", "your confidence, 0 to 1 (1)");
  private static final Option CONDITION =
      Option.value("--condition", "text", "a condition of your approval; repeatable").repeated();
  private static final Option REASON =
      Option.value("--reason", "text", "your reason; recorded if you dissent");
  static final Option NOTE = Option.value("--note", "text", "the evidence");
  static final Option FOR =
      Option.value("--for", "director", "only remarks to this director, or to ALL");
  static final Option OPEN = Option.flag("--open", "only undecided sessions");
  static final Option MARKDOWN = Option.flag("--markdown", "print a Markdown document");
  static final Option WAIT =
      Option.value("--wait", "time", "wait until the session is decided or it is your turn");

  private static final Option ASSESS_VERDICT = VERDICT.choices("APPROVE", "CONCERNS", "REJECT");
  private static final Option VOTE_VERDICT = VERDICT.choices("APPROVE", "REJECT", "ABSTAIN");

  static final List<Option> OF_OPEN =
      List.of(PROPOSAL, ELECTORATE, POLICY, ROUNDS, BLIND, DEADLINE, MISSING);
  static final Option RUN =
      Option.flag("--run", "ask agents that Parley starts, and wait for the verdict");
  static final List<Option> OF_QUICK =
      Stream.concat(
              Stream.of(PROPOSAL, ELECTORATE, POLICY, BLIND, DEADLINE, MISSING, RUN),
              BoardRun.OPTIONS.stream())
          .toList();
  static final List<Option> OF_MEETING =
      Stream.concat(
              Stream.of(PROPOSAL.needed(), ELECTORATE, POLICY, ROUNDS, DEADLINE, MISSING),
              BoardRun.OPTIONS.stream())
          .toList();

  /** The default time limit of a meeting's phase. */
  private static final Duration MEETING_DEADLINE = Duration.ofMinutes(15);

  static final List<Option> OF_ASSESS =
      List.of(ASSESS_VERDICT.needed(), SCORE.needed(), CONCERN, RECOMMENDATION);
  static final List<Option> OF_DISCUSS = List.of(KIND.needed(), TO, BODY, CHANGES);
  static final List<Option> OF_VOTE = List.of(VOTE_VERDICT.needed(), CONFIDENCE, CONDITION, REASON);

  private BoardOptions() {}

  /** The agenda from the options, based on the default. */
  static Agenda agenda(Arguments arguments, Agenda usual) {
    Agenda agenda = usual.blind(arguments.has(BLIND));
    String electorate = arguments.value(ELECTORATE);
    if (electorate != null) {
      agenda = agenda.among(Arrays.stream(electorate.split(",", -1)).map(String::strip).toList());
    }
    String policy = arguments.value(POLICY);
    if (policy != null) {
      agenda = agenda.by(Policy.named(policy));
    }
    String rounds = arguments.value(ROUNDS);
    if (rounds != null) {
      agenda = agenda.rounds(IntOption.number(ROUNDS.name(), rounds, 0, Agenda.MOST_ROUNDS));
    }
    String deadline = arguments.value(DEADLINE);
    return agenda
        .within(
            deadline == null ? null : Times.duration(DEADLINE.name(), deadline),
            MissingPolicy.valueOf(arguments.value(MISSING, "abstain").toUpperCase(Locale.ROOT)))
        .check();
  }

  /** The agenda of a meeting with programs, whose phases always have a time limit. */
  static Agenda meeting(Arguments arguments, Agenda usual) {
    Agenda agenda = agenda(arguments, usual);
    return agenda.deadline() == null ? agenda.within(MEETING_DEADLINE, agenda.missing()) : agenda;
  }

  /** Rejects options that apply only to agents that run as programs. */
  static void checkNoAgents(Arguments arguments) {
    for (Option option : BoardRun.OPTIONS) {
      if (arguments.has(option)) {
        throw ParleyException.invalid(
            "bad-option",
            option.name() + " needs " + RUN.name() + ".",
            "Add " + RUN.name() + ", or leave " + option.name() + " out.");
      }
    }
  }

  static Assessment assessment(Arguments arguments) {
    return new Assessment(
        choice(Opinion.values(), VERDICT, arguments),
        IntOption.number(SCORE.name(), arguments.required(SCORE), 1, 10),
        arguments.values(CONCERN),
        arguments.values(RECOMMENDATION));
  }

  static Speech speech(Arguments arguments, String body) {
    Statement.Kind kind = choice(Statement.Kind.values(), KIND, arguments);
    if (body.isBlank() && kind != Statement.Kind.AGREE) {
      throw ParleyException.invalid(
          "missing-argument",
          BODY.usage() + " is missing.",
          "Only AGREE may be sent without a text.");
    }
    return new Speech(arguments.value(TO, Statement.ALL), kind, body, arguments.has(CHANGES));
  }

  static Ballot ballot(Arguments arguments) {
    return new Ballot(
        choice(Vote.values(), VERDICT, arguments),
        Confidence.named(arguments.value(CONFIDENCE, "1")),
        arguments.values(CONDITION),
        arguments.value(REASON, ""));
  }

  private static <E extends Enum<E>> E choice(E[] values, Option option, Arguments arguments) {
    String text = arguments.required(option);
    for (E value : values) {
      if (value.name().equals(text)) {
        return value;
      }
    }
    throw ParleyException.invalid(
        "bad-choice",
        "\"" + text + "\" is not a value of " + option.name() + " here.",
        "Choose one of: "
            + Arrays.stream(values).map(Enum::name).collect(Collectors.joining(", "))
            + ".");
  }
}
