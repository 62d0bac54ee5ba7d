package dev.parley.orchestration.meeting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.coordination.Team;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.MissingPolicy;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Verdict;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.9: a board meeting driven end to end, with programs as directors. */
class BoardMeetingTest {
  /** In favour, with a question to all and a condition. */
  private static final String IN_FAVOUR =
      """
      cat >prompt-$PARLEY_AGENT-$PARLEY_STAGE.txt
      case $PARLEY_STAGE in
        assess) echo 'Here you are:'; echo '```json'
          echo '{"verdict":"APPROVE","score":8,"concerns":[],"recommendations":["test it"]}'; echo '```' ;;
        discuss) echo '{"to":"ALL","type":"AGREE","message":"I agree","changes_my_verdict":false}' ;;
        vote) echo '{"final_verdict":"APPROVE","confidence":0.8,"conditions":["TLS is on"],"reason":"ok"}' ;;
      esac
      """;

  /** Against, and stays so. */
  private static final String AGAINST =
      """
      cat >/dev/null
      case $PARLEY_STAGE in
        assess) echo '{"verdict":"reject","score":"2/10","concerns":"no rollback"}' ;;
        discuss) echo '{"to":"two","type":"challenge","message":"What of rollback?"}' ;;
        vote) echo '{"final_verdict":"REJECT","confidence":"0.9","conditions":[],"reason":"no rollback"}' ;;
      esac
      """;

  @TempDir private Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private static Agenda agenda(String... electors) {
    return Agenda.of("EVALUATE_PLAN").among(List.of(electors)).rounds(1).blind(true);
  }

  /** Every elector is spoken for by the agent of its name in lower case. */
  private MeetingPlan plan(Agenda agenda, String... directors) {
    SequencedMap<String, String> agents = new LinkedHashMap<>();
    for (String director : directors) {
      agents.put(director, director + "-agent");
    }
    return new MeetingPlan(
        agenda,
        "We open port 8080.",
        List.of(new MeetingPlan.Document("notes.md", "It is behind a proxy.")),
        agents,
        Personas.of(agenda.electorate(), null),
        folder);
  }

  private void agents(String script, String... directors) throws IOException {
    for (String director : directors) {
      workshop.agent(director + "-agent", script);
    }
  }

  private BoardSession hold(MeetingPlan plan) throws InterruptedException {
    RunContext context = workshop.context();
    Session chair = context.team().join("chair");
    context.team().sessions().expect("chair", List.of("ann"));
    try (Run run =
        Run.begin(context, "board", plan.parameters(context.contents()), RunLimits.DEFAULT)) {
      BoardSession meeting = BoardMeeting.hold(run, plan, chair);
      run.end("complete", Json.EMPTY_OBJECT);
      return meeting;
    } finally {
      context.team().sessions().leave(chair, null);
    }
  }

  private static Resolution resolution(BoardSession meeting) {
    return Objects.requireNonNull(meeting.resolution());
  }

  private List<String> said() {
    return workshop.events().stream()
        .filter(RunEvent.Said.class::isInstance)
        .map(event -> ((RunEvent.Said) event).text())
        .toList();
  }

  /** The prompts as directors get them; a change is seen in review. */
  @Test
  void thePromptsAreAsInTheGoldenFile() throws Exception {
    agents(IN_FAVOUR, "CA", "CSO");
    var _ = hold(plan(agenda("CA", "CSO").rounds(2), "CA", "CSO"));
    String golden = "meeting-prompts.golden.txt";
    StringBuilder text = new StringBuilder();
    for (String stage : List.of("assess", "discuss", "vote")) {
      String prompt = Files.readString(folder.resolve("prompt-CSO-agent-" + stage + ".txt"));
      text.append("=== ").append(stage).append(" ===\n").append(prompt).append('\n');
    }
    String actual = text.toString();
    try (var in = BoardMeetingTest.class.getResourceAsStream(golden)) {
      String expected = in == null ? "" : new String(in.readAllBytes(), UTF_8);
      if (!expected.equals(actual)) {
        Path file = Path.of("target", golden).toAbsolutePath();
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, actual);
        assertThat(actual).as("the prompts are now as in " + file).isEqualTo(expected);
      }
    }
  }

  @Test
  void aBoardAssessesDiscussesVotesAndResolves() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    agents(AGAINST, "three");

    BoardSession meeting = hold(plan(agenda("one", "two", "three"), "one", "two", "three"));

    assertThat(meeting.phase()).isEqualTo(Phase.COMPLETE);
    assertThat(resolution(meeting).verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(resolution(meeting).votes()).containsEntry("three", Vote.REJECT);
    assertThat(resolution(meeting).conditions()).hasSize(2);
    assertThat(resolution(meeting).dissent().getFirst().reason()).isEqualTo("no rollback");
    assertThat(meeting.remarks()).hasSize(3);
    assertThat(Files.readString(folder.resolve("prompt-one-agent-discuss.txt")))
        .contains("REJECT, score 2 of 10", "no rollback", "round 1 of 1");
    assertThat(Files.readString(folder.resolve("prompt-two-agent-vote.txt")))
        .contains("What of rollback?");
    try (var runs = Files.list(folder.resolve("runs"))) {
      Path run = runs.findFirst().orElseThrow();
      assertThat(run.resolve("artifacts/resolution.md")).content().contains("APPROVED");
      assertThat(run.resolve("artifacts/review-packet.md")).content().contains("What of rollback?");
    }
    boolean here = workshop.context().team().ledger().look(l -> l.roster().session("one") != null);
    assertThat(here).isFalse();
  }

  @Test
  void theFirstPromptShowsNobodysAssessment() throws Exception {
    agents(IN_FAVOUR, "one");
    agents(AGAINST, "two");

    var _ = hold(plan(agenda("one", "two"), "one", "two"));

    assertThat(Files.readString(folder.resolve("prompt-one-agent-assess.txt")))
        .contains("We open port 8080.", "It is behind a proxy.", "The other members are\ntwo.")
        .doesNotContain("no rollback");
  }

  @Test
  void whoAnswersNonsenseIsAskedOnceMoreAndThenCountsAsMissingWithTheReason() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    agents("cat >/dev/null; echo x >>tries-$PARLEY_STAGE; echo 'I would rather not.'", "three");

    BoardSession meeting = hold(plan(agenda("one", "two", "three"), "one", "two", "three"));

    assertThat(resolution(meeting).verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(resolution(meeting).missing()).containsExactly("three");
    assertThat(folder.resolve("tries-vote")).hasContent("x\nx");
    assertThat(said())
        .anyMatch(
            line -> line.startsWith("three counts as missing:") && line.contains("no JSON object"));
  }

  @Test
  void aDirectorThatFailsIsTreatedByTheSessionsRule() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    agents("echo 'no credit' >&2; exit 3", "three");
    Agenda agenda =
        agenda("one", "two", "three")
            .by(new Policy.Unanimous())
            .within(Duration.ofMinutes(5), MissingPolicy.ESCALATE);

    BoardSession meeting = hold(plan(agenda, "one", "two", "three"));

    assertThat(resolution(meeting).verdict()).isEqualTo(Verdict.ESCALATE);
    assertThat(said()).anyMatch(line -> line.contains("no credit"));
  }

  @Test
  void aPersonSitsOnTheSameBoard() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    Agenda agenda = Agenda.quickReview().among(List.of("one", "two", "ann"));
    Thread person =
        Thread.ofVirtual()
            .start(() -> {
              Team team = workshop.context().team();
              Session ann = team.join("ann");
              await().until(() -> !team.boards().all().isEmpty());
              String board = team.boards().all().getFirst().id();
              var _ =
                  team.boards(ann)
                      .assess(board, new Assessment(Opinion.REJECT, 3, List.of("late"), List.of()));
            });

    BoardSession meeting = hold(plan(agenda, "one", "two"));
    person.join();

    assertThat(resolution(meeting).verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(resolution(meeting).votes()).containsEntry("ann", Vote.REJECT);
  }

  @Test
  void whoSaysNothingIsWaitedForNoLongerThanThePhaseLasts() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    Agenda agenda =
        Agenda.quickReview()
            .among(List.of("one", "two", "ann"))
            .within(Duration.ofSeconds(2), MissingPolicy.ABSTAIN);

    BoardSession meeting = hold(plan(agenda, "one", "two"));

    assertThat(resolution(meeting).missing()).containsExactly("ann");
    assertThat(resolution(meeting).verdict()).isEqualTo(Verdict.APPROVED);
  }

  @Test
  void conditionsOfAPlanAreCheckedByThoseWhoMadeThem() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    BoardSession plan = hold(plan(agenda("one", "two"), "one", "two"));
    String condition = resolution(plan).conditions().getFirst().id();
    agents(
        """
        cat >prompt-$PARLEY_AGENT-$PARLEY_STAGE.txt
        echo '{"verdict":"APPROVE","score":9,"conditions_met":[{"id":"%s","met":true,"note":"seen"}]}'
        """
            .formatted(condition),
        "one",
        "two");
    Agenda execution = Agenda.quickReview().among(List.of("one", "two"));

    BoardSession meeting = hold(plan(execution, "one", "two"));

    assertThat(Files.readString(folder.resolve("prompt-two-agent-assess.txt")))
        .contains("condition " + condition + " of one", "TLS is on");
    assertThat(workshop.context().team().boards().carried(meeting))
        .filteredOn(each -> each.condition().id().equals(condition))
        .allSatisfy(each -> assertThat(Objects.requireNonNull(each.check()).by()).isEqualTo("one"));
  }

  /** One director's check of a condition must not change the prompt that another has answered. */
  @Test
  void aDirectorIsNotAskedAgainBecauseAnotherCheckedACondition() throws Exception {
    agents(IN_FAVOUR, "one", "two");
    BoardSession before = hold(plan(agenda("one", "two"), "one", "two"));
    String answer =
        "echo '{\"verdict\":\"APPROVE\",\"score\":9,\"conditions_met\":[{\"id\":\"%s\",\"met\":true}]}'"
            .formatted(resolution(before).conditions().getFirst().id());
    agents("cat >/dev/null; echo x >>asked-one; " + answer, "one");
    agents(
        "cat >/dev/null; echo x >>asked-two; until [ -e checked ]; do sleep 0.05; done; " + answer,
        "two");
    MeetingPlan plan =
        plan(Agenda.of("EVALUATE_EXECUTION").among(List.of("one", "two")).rounds(0), "one", "two");
    RunContext context = workshop.context();
    RunContext dying =
        context.with(event -> {
          if (event instanceof RunEvent.Said said && said.text().contains("finds the condition")) {
            create(folder.resolve("checked"));
          } else if (event instanceof RunEvent.Answered answered
              && answered.answer().agent().equals("two-agent")) {
            throw new IllegalStateException("killed");
          }
        });
    Session chair = context.team().join("chair");
    String id;
    try (Run run =
        Run.begin(dying, "board", plan.parameters(context.contents()), RunLimits.DEFAULT)) {
      id = run.id();
      assertThatThrownBy(() -> BoardMeeting.hold(run, plan, chair)).hasMessage("killed");
    }
    agents("echo x >>asked-two\n" + IN_FAVOUR, "two");
    agents("echo x >>asked-one\n" + IN_FAVOUR, "one");

    try (Run run = Run.resume(context, id, RunLimits.DEFAULT)) {
      var _ = BoardMeeting.hold(run, plan, chair);
    }

    // Once for the assessment, once for the vote.
    assertThat(folder.resolve("asked-one")).hasContent("x\nx");
    assertThat(folder.resolve("asked-two")).hasContent("x\nx");
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** No phase has a deadline, and nobody speaks for ann: the run's time is the limit. */
  @Test
  void aPersonIsWaitedForNoLongerThanTheRunMayTake() throws Exception {
    agents(IN_FAVOUR, "one");
    MeetingPlan plan = plan(Agenda.quickReview().among(List.of("one", "ann")), "one");
    RunContext context = workshop.context();
    Session chair = context.team().join("chair");
    context.team().sessions().expect("chair", List.of("ann"));
    RunLimits limits = RunLimits.DEFAULT.withRun(Duration.ofSeconds(3));
    try (Run run = Run.begin(context, "board", plan.parameters(context.contents()), limits)) {
      assertThatThrownBy(() -> BoardMeeting.hold(run, plan, chair))
          .hasMessageContaining("has reached its limit of time");
    }
    assertThat(context.team().boards().all().getFirst().missing()).containsExactly("ann");
  }

  @Test
  void aMeetingThatWasKilledGoesOnAndAsksNobodyTwice() throws Exception {
    AtomicInteger events = new AtomicInteger();
    agents("echo x >>asked-$PARLEY_AGENT-$PARLEY_STAGE\n" + IN_FAVOUR, "one", "two");
    agents("echo x >>asked-$PARLEY_AGENT-$PARLEY_STAGE\n" + AGAINST, "three");
    MeetingPlan plan = plan(agenda("one", "two", "three"), "one", "two", "three");
    RunContext context = workshop.context();
    String id;
    try (Run run =
        Run.begin(context, "board", plan.parameters(context.contents()), RunLimits.DEFAULT)) {
      id = run.id();
    }
    RunContext dying =
        new RunContext(
            context.log(),
            context.contents(),
            context.team(),
            context.bus(),
            context.runs(),
            context.journal(),
            context.agents(),
            context.environment(),
            context.sender(),
            event -> {
              if (event instanceof RunEvent.Answered && events.incrementAndGet() == 5) {
                throw new IllegalStateException("killed");
              }
            });
    Session chair = context.team().join("chair");
    assertThatThrownBy(
            () -> {
              try (Run again = Run.resume(dying, id, RunLimits.DEFAULT)) {
                var _ = BoardMeeting.hold(again, plan, chair);
              }
            })
        .hasMessage("killed");
    context.team().sessions().leave(chair, null);

    Session second = context.team().join("chair");
    BoardSession meeting;
    try (Run run = Run.resume(context, id, RunLimits.DEFAULT)) {
      MeetingPlan known =
          MeetingPlan.of(RunRecord.named(context.log(), id).parameters(), context.contents());
      assertThat(known).usingRecursiveComparison().isEqualTo(plan);
      meeting = BoardMeeting.hold(run, known, second);
    }

    assertThat(resolution(meeting).verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(context.team().boards().all()).hasSize(1);
    for (String director : List.of("one", "two", "three")) {
      for (String stage : List.of("assess", "discuss", "vote")) {
        assertThat(folder.resolve("asked-" + director + "-agent-" + stage)).hasContent("x");
      }
    }
  }

  @Test
  void aPersonaIsReplacedByAFile() throws Exception {
    Files.writeString(folder.resolve("CSO.md"), "You are Mallory.");

    Personas personas = Personas.of(List.of("CSO", "CA", "ann"), folder);

    assertThat(personas.page("CSO")).isEqualTo("You are Mallory.");
    assertThat(personas.page("CA")).contains("Chief Architect");
    assertThat(personas.page("ann")).contains("member of this board");
  }

  @Test
  void aPersonaThatIsTooLongIsRefused() throws Exception {
    Files.writeString(folder.resolve("CSO.md"), "x".repeat(Personas.LONGEST + 1));

    assertThatThrownBy(() -> Personas.of(List.of("CSO"), folder))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("too long");
  }
}
