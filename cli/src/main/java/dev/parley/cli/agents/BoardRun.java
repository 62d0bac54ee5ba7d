package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.ResolutionPage;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.json.BoardJson;
import dev.parley.orchestration.agent.Agents;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.meeting.BoardMeeting;
import dev.parley.orchestration.meeting.BoardSettings;
import dev.parley.orchestration.meeting.MeetingPlan;
import dev.parley.orchestration.meeting.Personas;
import dev.parley.orchestration.meeting.Stakes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A meeting of a board whose directors are agents that run as programs. */
public final class BoardRun {
  /** The kind of its runs. */
  static final String KIND = "board";

  private static final Option CONTEXT =
      Option.value(
              "--context", "file", "what directors are shown beside it; may be given several times")
          .repeated();
  private static final Option DIRECTORS =
      Option.value(
              "--directors",
              "CA=agent,…",
              "which agent speaks for which director; others speak for themselves")
          .repeated();
  private static final Option AGENTS =
      Option.value("--agents", "agents", "share the directors out among these (all there are)");
  private static final Option PERSONAS =
      Option.value("--personas", "folder", "who the directors are: files such as CSO.md");
  private static final Option STAKES =
      Option.value(
              "--stakes",
              "stakes",
              "low: one quick round; auto: only if the proposal has no word such as production"
                  + " (high)")
          .choices("high", "low", "auto");

  /** The options beside those of the agenda. */
  public static final List<Option> OPTIONS =
      Stream.concat(
              Stream.of(CONTEXT, DIRECTORS, AGENTS, PERSONAS, STAKES), RunOptions.LIMITS.stream())
          .toList();

  private BoardRun() {}

  /**
   * Holds a meeting.
   *
   * @param chair the session that opens it
   * @param print prints the result
   */
  public static int hold(
      Invocation invocation,
      Session chair,
      Agenda agenda,
      String proposal,
      BiConsumer<Output, BoardSession> print)
      throws IOException, InterruptedException {
    if (proposal.isBlank()) {
      throw ParleyException.invalid(
          "missing-argument",
          "There is nothing to decide upon.",
          "Give the proposal: --proposal <file>, or - for stdin.");
    }
    RunSetup setup = RunSetup.of(invocation);
    MeetingPlan plan = plan(setup, agenda, proposal);
    try (RunProgress progress = RunProgress.of(invocation)) {
      RunContext context = setup.context(progress);
      Json parameters = plan.parameters(context.contents());
      Run run = Run.begin(context, KIND, parameters, setup.limits());
      return attend(setup, run, plan, chair, progress, print);
    }
  }

  /** Continues a killed meeting as the agent that began it. */
  static int resume(RunSetup setup, Run run, Json parameters, RunProgress progress)
      throws InterruptedException {
    String began = run.context().sender();
    Session chair = CommandContext.openFor(setup.invocation(), began).session();
    MeetingPlan plan = MeetingPlan.of(parameters, run.context().contents());
    return attend(setup, run, plan, chair, progress, BoardRun::page);
  }

  private static int attend(
      RunSetup setup,
      Run run,
      MeetingPlan plan,
      Session chair,
      RunProgress progress,
      BiConsumer<Output, BoardSession> print)
      throws InterruptedException {
    return RunSetup.attend(
        setup,
        run,
        running -> {
          BoardSession meeting = BoardMeeting.hold(running, plan, chair);
          Resolution resolution = Objects.requireNonNull(meeting.resolution());
          Json result = BoardJson.resolution(meeting.id(), resolution);
          running.end("complete", result);
          progress.close();
          Output out = setup.invocation().out();
          if (out.isJson()) {
            out.line(result);
          } else {
            print.accept(out, meeting);
            out.line(
                "The whole meeting: " + running.folder().artifacts().resolve("review-packet.md"));
          }
          return ExitCode.OK;
        });
  }

  private static void page(Output out, BoardSession meeting) {
    ResolutionPage.of(meeting, Objects.requireNonNull(meeting.resolution()))
        .forEach(line -> out.line(Printable.text(line)));
  }

  private static MeetingPlan plan(RunSetup setup, Agenda agenda, String proposal)
      throws IOException {
    Invocation invocation = setup.invocation();
    Arguments arguments = invocation.arguments();
    Path folder = invocation.shell().folder();
    BoardSettings settings = BoardSettings.of(setup.settings(), folder);
    Agenda whole = agenda.blind(true);
    List<MeetingPlan.Document> documents = new ArrayList<>();
    for (String file : arguments.values(CONTEXT)) {
      documents.add(
          new MeetingPlan.Document(
              file, Body.file(invocation, Limits.DEFAULT, CONTEXT.name(), file)));
    }
    String personas = arguments.value(PERSONAS);
    return new MeetingPlan(
        isQuick(arguments.value(STAKES, "high"), settings, proposal) ? quick(whole) : whole,
        proposal,
        documents,
        speakers(setup, settings, agenda.electorate()),
        Personas.of(
            agenda.electorate(), personas == null ? settings.personas() : folder.resolve(personas)),
        folder);
  }

  private static boolean isQuick(String stakes, BoardSettings settings, String proposal) {
    return switch (stakes) {
      case "low" -> true;
      case "auto" -> !Stakes.areHigh(proposal, settings.highStakes());
      default -> false;
    };
  }

  /** The agenda in a single phase. */
  private static Agenda quick(Agenda agenda) {
    return new Agenda(
            agenda.checkpoint(),
            agenda.electorate(),
            Agenda.quickReview().among(agenda.electorate()).policy(),
            0,
            true,
            true,
            agenda.deadline(),
            agenda.missing())
        .check();
  }

  /** The agent for each director. */
  private static SequencedMap<String, String> speakers(
      RunSetup setup, BoardSettings settings, List<String> electors) {
    Arguments arguments = setup.invocation().arguments();
    Agents agents = setup.settings().agents();
    SequencedMap<String, String> speakers = new LinkedHashMap<>();
    for (String typed : arguments.values(DIRECTORS)) {
      for (String pair : typed.split(",", -1)) {
        int equals = pair.indexOf('=');
        String director = equals < 0 ? "" : pair.substring(0, equals).strip();
        if (!electors.contains(director)) {
          throw ParleyException.invalid(
              "bad-directors",
              DIRECTORS.name() + " \"" + Printable.text(pair.strip()) + "\" names no director.",
              "Write <director>=<agent>; the directors are " + String.join(", ", electors) + ".");
        }
        speakers.put(director, agents.named(pair.substring(equals + 1).strip()).name());
      }
    }
    if (!speakers.isEmpty()) {
      return speakers;
    }
    List<String> among = among(arguments.value(AGENTS), agents);
    for (int i = 0; i < electors.size(); i++) {
      String director = electors.get(i);
      String set = settings.directors().get(director);
      if (set == null && among.isEmpty()) {
        throw ParleyException.refused(
            "no-agents",
            "There is no agent that could speak for " + director + ".",
            "parley agents tells how to add one.");
      }
      speakers.put(director, set == null ? among.get(i % among.size()) : agents.named(set).name());
    }
    return speakers;
  }

  private static List<String> among(@Nullable String typed, Agents agents) {
    if (typed == null) {
      return agents.names();
    }
    List<String> names = new ArrayList<>();
    for (String name : typed.split(",", -1)) {
      names.add(agents.named(name.strip()).name());
    }
    return names;
  }
}
