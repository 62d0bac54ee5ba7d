package dev.parley.cli.demo;

import static dev.parley.cli.demo.DemoStory.ANN;
import static dev.parley.cli.demo.DemoStory.BEN;
import static dev.parley.cli.demo.DemoStory.CLEO;
import static dev.parley.cli.demo.DemoStory.LEAD;

import dev.parley.coordination.Team;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.coordination.work.WaitService;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What each agent of the demo does. It reacts to what it reads on the bus, and nothing else.
 *
 * <pre>
 * lead   adds six tasks …………………………………………………………………………… opens the board ─ votes
 * ann    1.1 ─ locks the shared file ─ discovers ─ answers cleo ─ wants the guide: refused ─ done ─ 2.1
 * ben    1.4 ─ reads the discovery: not needed ─ 1.2 ─ waits for the shared file ─ done
 * cleo   1.3 ─ locks the guide ─ asks ann ─ waits for the shared file ─ done ─ takes over 1.5
 * dan    1.5 ─ half-way ─ killed
 * </pre>
 */
final class Script {
  /** More than the slowest machine needs to start a process. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The story shows locks by themselves, so a claim takes no files. */
  private static final Terms LOCKS_APART = Terms.NONE.takingFiles(false);

  /** How long a claim without heartbeats lasts. */
  private static final Duration TTL = Duration.ofSeconds(2);

  private final DemoStory story;
  private final String me;
  private final Bus bus;
  private final Team team;
  private final DemoRepository repository;
  private final Duration pace;
  private final Session session;
  private final TaskList tasks;
  private final Locks locks;

  Script(DemoStory story, String me, Bus bus, Team team, DemoRepository repository, Duration pace) {
    this.story = story;
    this.me = me;
    this.bus = bus;
    this.team = team;
    this.repository = repository;
    this.pace = pace;
    this.session = team.join(me);
    this.tasks = team.tasks(session);
    this.locks = team.locks(session);
  }

  void play() throws IOException, InterruptedException {
    if (!me.equals(LEAD)) {
      until(ledger -> ledger.tasks().task("2.1") != null);
    }
    switch (me) {
      case LEAD -> lead();
      case ANN -> ann();
      case BEN -> ben();
      case CLEO -> cleo();
      default -> dan();
    }
    meet();
    team.sessions().leave(session, null);
  }

  private void lead() throws InterruptedException {
    until(ledger -> ledger.roster().members().size() == DemoStory.CAST.size());
    for (Plan plan : story.tasks()) {
      breathe();
      var _ = tasks.add(plan, false);
    }
    until(ledger -> is(ledger, "2.1", TaskState.DONE));
    breathe();
    Agenda agenda =
        Agenda.of("PRE_LAUNCH").among(DemoStory.BOARD).by(new Policy.Majority()).rounds(1);
    var _ = team.boards(session).open(agenda, "Ship " + story.project() + "?");
  }

  private void ann() throws IOException, InterruptedException {
    claim("1.1");
    lock(story.shared(), "1.1", Duration.ZERO);
    breathe();
    var _ =
        team.bulletins()
            .post(session, DemoStory.WAVE, Notice.Kind.DISCOVERY, story.discovery(), List.of());
    Mail mail = team.mail(session);
    ReceivedMail question = take(mail, MailFilter.ANY.types(List.of("question")));
    breathe();
    var _ = mail.reply(question.entry().id(), Draft.answer(story.answer()));
    until(ledger -> isInLine(ledger, CLEO));
    breathe();
    try {
      lock(story.guide(), "1.1", PATIENCE);
      throw new IllegalStateException("nobody saw that " + ANN + " and " + CLEO + " would wait");
    } catch (RefusedException e) {
      if (!e.code().equals("would-deadlock")) {
        throw e;
      }
    }
    finish("1.1", story.shared());
    until(ledger -> is(ledger, "2.1", TaskState.READY));
    claim("2.1");
    finish("2.1", "README.md");
  }

  private void ben() throws IOException, InterruptedException {
    until(ledger -> is(ledger, "1.1", TaskState.CLAIMED));
    claim("1.4");
    String discovery = discovery();
    breathe();
    var _ = tasks.cancel("1.4", ANN + " found that " + discovery);
    claim("1.2");
    lock(story.shared(), "1.2", PATIENCE);
    finish("1.2", story.shared());
  }

  private String discovery() throws InterruptedException {
    try (Feed feed = bus.feed(new Prefix(Bulletin.topic(DemoStory.WAVE)), FeedStart.BEGINNING)) {
      Envelope envelope = feed.next(PATIENCE);
      if (envelope == null) {
        throw stuck();
      }
      return String.valueOf(Objects.requireNonNull(envelope.payload().fields().get("text")).text());
    }
  }

  private void cleo() throws IOException, InterruptedException {
    claim("1.3");
    lock(story.guide(), "1.3", Duration.ZERO);
    breathe();
    Mail mail = team.mail(session);
    String id = mail.send(Draft.question(ANN, story.question(), "")).first().id();
    WaitService waiting = team.waits(session);
    long wait = waiting.begin("agent:" + ANN, "", "an answer to " + id, PATIENCE);
    ReceivedMail answer = take(mail, MailFilter.ANY.replyTo(id));
    waiting.end(wait);
    mail.acknowledge(List.of(answer.entry().id()));
    until(ledger -> isInLine(ledger, BEN));
    lock(story.shared(), "1.3", PATIENCE);
    finish("1.3", story.guide());
    TaskList.Claimed left = tasks.next(LOCKS_APART, PATIENCE);
    if (left == null) {
      throw stuck();
    }
    finish(left.task(), "checks.txt");
  }

  private void dan() throws InterruptedException {
    breathe();
    var _ = tasks.claim("1.5", new Terms(List.of(), TTL).takingFiles(false));
    breathe();
    tasks.progress("1.5", DemoStory.HALF_WAY, "half-way");
    // The demo kills this process here.
    TimeUnit.SECONDS.sleep(PATIENCE.toSeconds());
    throw stuck();
  }

  /** The board, where every remaining agent gives its opinion. */
  private void meet() throws InterruptedException {
    until(ledger -> meeting(ledger) != null);
    BoardService boards = team.boards(session);
    String board = team.ledger().look(Script::meetingOrThrow).id();
    boolean against = me.equals(story.dissenter());
    breathe();
    var _ =
        boards.assess(
            board,
            new Assessment(
                against ? Opinion.REJECT : me.equals(ANN) ? Opinion.CONCERNS : Opinion.APPROVE,
                against ? 4 : 8,
                against ? List.of(story.dissent()) : List.of(),
                List.of()));
    until(ledger -> isAt(ledger, Phase.DISCUSS));
    if (!against) {
      until(ledger -> !meetingOrThrow(ledger).remarks().isEmpty());
    }
    breathe();
    var _ =
        boards.discuss(
            board,
            against
                ? new BoardService.Speech(
                    Statement.ALL, Statement.Kind.CHALLENGE, story.dissent() + ".", false)
                : new BoardService.Speech(
                    story.dissenter(),
                    Statement.Kind.CLARIFY,
                    "We find out with a few users.",
                    false));
    until(ledger -> isAt(ledger, Phase.VOTE));
    breathe();
    var _ =
        boards.vote(
            board,
            new Ballot(
                against ? Vote.REJECT : Vote.APPROVE,
                Confidence.named(against ? "0.6" : "0.9"),
                me.equals(LEAD) ? List.of("tell the users how to switch it off") : List.of(),
                against ? story.dissent() : ""));
    until(ledger -> isAt(ledger, Phase.RESOLVE));
    if (me.equals(LEAD)) {
      breathe();
      var _ = boards.resolve(board);
    }
    until(ledger -> isAt(ledger, Phase.COMPLETE));
  }

  private static @Nullable BoardSession meeting(Ledger ledger) {
    return ledger.boards().all().stream().findFirst().orElse(null);
  }

  private static BoardSession meetingOrThrow(Ledger ledger) {
    return ledger.boards().all().iterator().next();
  }

  private static boolean isAt(Ledger ledger, Phase phase) {
    BoardSession meeting = meeting(ledger);
    return meeting != null && meeting.phase().compareTo(phase) >= 0;
  }

  private void claim(String task) throws InterruptedException {
    breathe();
    var _ = tasks.claim(task, LOCKS_APART);
  }

  private void lock(String path, String task, Duration wait) throws InterruptedException {
    breathe();
    var _ = locks.lock(LockRequest.of(path).forTask(task), wait);
  }

  private void finish(String task, String file) throws IOException, InterruptedException {
    breathe();
    String commit = repository.commit(file, task + ": " + story.project());
    var _ = tasks.done(task, commit, List.of(file), null);
  }

  private ReceivedMail take(Mail mail, MailFilter filter) throws InterruptedException {
    ReceivedMail letter = mail.await(filter, PATIENCE);
    if (letter == null) {
      throw stuck();
    }
    mail.seen(List.of(letter));
    return letter;
  }

  private static boolean is(Ledger ledger, String id, TaskState state) {
    Task task = ledger.tasks().task(id);
    return task != null && task.state() == state;
  }

  private static boolean isInLine(Ledger ledger, String name) {
    return ledger.leases().waiters().stream().anyMatch(one -> one.terms().name().equals(name));
  }

  private void until(Predicate<Ledger> condition) throws InterruptedException {
    Boolean met =
        team.ledger()
            .await(
                session,
                PATIENCE,
                new LedgerOwner.Awaited<Boolean>() {
                  @Override
                  public @Nullable Boolean answer(Ledger ledger) {
                    return condition.test(ledger) ? true : null;
                  }

                  @Override
                  public @Nullable Instant next(Ledger ledger) {
                    return null;
                  }
                });
    if (met == null) {
      throw stuck();
    }
  }

  /** Pauses so that an audience can follow. */
  private void breathe() throws InterruptedException {
    if (pace.isPositive()) {
      TimeUnit.MILLISECONDS.sleep(pace.toMillis());
    }
  }

  private ParleyException stuck() {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "demo-stuck",
        me + " waited in vain in the demo.",
        "Look at the bus it left: parley tail, parley waits.");
  }
}
