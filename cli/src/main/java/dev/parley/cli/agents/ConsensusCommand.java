package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Table;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Limits;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.consensus.Consensus;
import dev.parley.orchestration.consensus.ConsensusPlan;
import dev.parley.orchestration.consensus.Mode;
import dev.parley.orchestration.consensus.ReviewSubject;
import dev.parley.orchestration.git.Git;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Several agents analyse the same thing, debate it, and one of them sums up. */
public final class ConsensusCommand implements Command {
  private static final Parameter ACTION =
      Parameter.optional("action", "stats: sum up what debates have changed on this bus")
          .choices("stats");
  private static final Option MODE =
      Option.value("--mode", "mode", "what it is about").choices("code-review", "general-prompt");
  private static final Option PROMPT =
      Option.value("--prompt", "text", "general-prompt: the question; - reads stdin");
  private static final Option CONTEXT =
      Option.value("--context", "text", "general-prompt: what is known already");
  static final Option BASE =
      Option.value("--base-sha", "commit", "code-review: where the change begins");
  static final Option HEAD = Option.value("--head-sha", "commit", "code-review: where it ends");
  private static final Option DESCRIPTION =
      Option.value("--description", "text", "code-review: what the change is meant to do");
  static final Option PLAN =
      Option.value("--plan-file", "file", "code-review: the plan that the change follows");
  private static final int TITLE = 80;

  @Override
  public Description description() {
    List<Option> options =
        Stream.of(
                Stream.of(MODE, PROMPT, CONTEXT, BASE, HEAD, DESCRIPTION, PLAN),
                ConsensusOptions.ALL.stream(),
                RunOptions.LIMITS.stream())
            .flatMap(each -> each)
            .toList();
    return new Description(
        "consensus",
        Group.RUN,
        "let several agents analyse, debate and conclude",
        "All agents analyse the same thing at once, none seeing another's answer. With --debate"
            + " they answer each other's theses, under letters that are drawn anew for each"
            + " session. A chairman, the first of the agents that can, sums up. The result says"
            + " what the debate has changed, and whether the majority before it would have"
            + " concluded the same; stats sums that up. In a code review findings and verdict are"
            + " computed from what agents wrote, and no finding is dropped. stdout has the"
            + " chairman's text, with the findings of a review; all else is on stderr.",
        List.of(ACTION),
        options,
        List.of(
            "parley consensus --mode general-prompt --prompt \"Queue or table?\" --debate",
            "parley consensus --mode code-review --base-sha main --head-sha HEAD --description"
                + " \"Retry uploads\" --format sarif",
            "parley consensus stats"));
  }

  @Override
  public boolean runsAgents(Arguments arguments) {
    return arguments.word(ACTION) == null && !arguments.has(ConsensusOptions.DRY_RUN);
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    if (invocation.arguments().word(ACTION) != null) {
      return stats(invocation);
    }
    Arguments arguments = invocation.arguments();
    String mode = arguments.required(MODE);
    RunSetup setup = RunSetup.of(invocation);
    ConsensusOptions options = new ConsensusOptions(setup);
    if (mode.equals(Mode.GENERAL_PROMPT.word())) {
      String question = Body.read(invocation, Limits.DEFAULT, arguments.required(PROMPT)).strip();
      String context = arguments.value(CONTEXT);
      String subject =
          "## Question\n\n" + question + (context == null ? "" : "\n\n## Context\n\n" + context);
      return ConsensusRun.begin(setup, options.plan(Mode.GENERAL_PROMPT, subject, title(question)));
    }
    String base = arguments.required(BASE);
    String head = arguments.required(HEAD);
    String description = arguments.required(DESCRIPTION);
    return review(invocation, setup, base, head, description);
  }

  /**
   * Reviews the change between two commits.
   *
   * @param description what it is meant to do; if it is empty, what the commits say
   */
  static int review(
      Invocation invocation, RunSetup setup, @Nullable String base, String head, String description)
      throws IOException, InterruptedException {
    Git git = new Git(invocation.shell().folder());
    String to = ReviewSubject.commit(git, HEAD.name(), head);
    String from =
        base == null ? ReviewSubject.base(git, to) : ReviewSubject.commit(git, BASE.name(), base);
    String file = invocation.arguments().value(PLAN);
    String plan = file == null ? null : Body.file(invocation, Limits.DEFAULT, PLAN.name(), file);
    if (!invocation.out().isJson()) {
      invocation.notices().say("reviewing " + from.substring(0, 8) + ".." + to.substring(0, 8));
    }
    ConsensusOptions options = new ConsensusOptions(setup);
    String meant = description.isBlank() ? ReviewSubject.commits(git, from, to) : description;
    String subject = ReviewSubject.text(git, from, to, meant, plan, options.mostDiff());
    ConsensusPlan review = options.plan(Mode.CODE_REVIEW, subject, title(meant));
    return ConsensusRun.begin(setup, review);
  }

  private static String title(String text) {
    String line = text.lines().findFirst().orElse("").strip().replaceAll("\\p{Cntrl}", " ");
    return line.length() <= TITLE ? line : line.substring(0, TITLE - 1) + "…";
  }

  private static int stats(Invocation invocation) {
    List<Fields> effects = new ArrayList<>();
    try (FileLog log = invocation.busToLookAt().openLog()) {
      for (RunRecord run : RunRecord.all(log)) {
        if (run.kind().equals(Consensus.KIND) && run.outcome().equals("complete")) {
          effects.add(Fields.of(run.result()).object("effect"));
        }
      }
    }
    List<Fields> debated = effects.stream().filter(effect -> effect.flag("debated")).toList();
    print(
        invocation.out(),
        effects.size(),
        debated.size(),
        debated.stream().filter(effect -> !effect.items("changed").isEmpty()).count(),
        withoutReason(debated),
        count(debated, "yes"),
        count(debated, "no"),
        count(debated, "unknown"),
        sum(debated, "findingsAdded"),
        sum(debated, "findingsWithdrawn"),
        sum(debated, "extraAsks"),
        sum(debated, "extraTokens"),
        sum(debated, "extraMillis"));
    return ExitCode.OK;
  }

  private static long count(List<Fields> effects, String same) {
    return effects.stream().filter(effect -> same.equals(effect.text("sameAsMajority"))).count();
  }

  private static long withoutReason(List<Fields> effects) {
    return effects.stream()
        .flatMap(effect -> effect.objects("changed").stream())
        .filter(change -> change.text("why") == null)
        .count();
  }

  private static long sum(List<Fields> effects, String name) {
    return effects.stream().mapToLong(effect -> Math.max(0, effect.number(name, 0))).sum();
  }

  /** The numbers in the order of their names. */
  private static void print(Output out, long... numbers) {
    List<String> names =
        List.of(
            "sessions",
            "debates",
            "debatesThatChangedAPosition",
            "changesWithoutReason",
            "sameAsMajority",
            "notSameAsMajority",
            "unknown",
            "findingsAdded",
            "findingsWithdrawn",
            "extraAsks",
            "extraTokens",
            "extraMillis");
    List<String> words =
        List.of(
            "sessions",
            "with a debate",
            "debates that changed a position",
            "positions changed without a reason",
            "debates that ended as the majority before",
            "debates that ended otherwise",
            "debates whose outcome is unknown",
            "findings added by debates",
            "findings withdrawn in debates",
            "asks that debates took",
            "tokens that debates took, where known",
            "milliseconds that debates took");
    Json.ObjectBuilder json = Json.object();
    Table table = new Table();
    for (int i = 0; i < numbers.length; i++) {
      json.put(names.get(i), numbers[i]);
      table.row(Long.toString(numbers[i]), words.get(i));
    }
    if (out.isJson()) {
      out.line(json.build());
    } else {
      table.lines().forEach(out::line);
    }
  }
}
