package dev.parley.coordination;

import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.wake.WakeLog;
import dev.parley.coordination.wake.Wakes;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.WaitService;
import dev.parley.coordination.work.Worker;
import dev.parley.core.AgentName;
import dev.parley.core.Log;
import dev.parley.core.Reporter;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * The services of one opened bus: sessions, mail, leases, tasks, boards and bulletins.
 *
 * <pre>
 * Team team = new Team(bus.log(), views, Reporter.TO_LOG);
 * Session alice = team.join("alice");
 * team.mail(alice).send(Draft.task("bob", "Tests", "Please write tests for Topic."));
 * </pre>
 */
public final class Team {
  private final Log log;
  private final Views views;
  private final Contents contents;
  private final Reporter reporter;
  private final LedgerOwner owner;
  private final Sessions sessions;
  private final DueWork due;
  private final ExternalLockTables tables;

  public Team(Log log, Views views, Reporter reporter) {
    this(log, views, reporter, InstantSource.system());
  }

  public Team(Log log, Views views, Reporter reporter, InstantSource clock) {
    this(log, views, Contents.none(), reporter, clock);
  }

  /**
   * @param contents where bodies are stored that are too long for a line
   * @param clock the clock that the log stamps envelopes with
   */
  public Team(Log log, Views views, Contents contents, Reporter reporter, InstantSource clock) {
    this.log = log;
    this.views = views;
    this.contents = contents;
    this.reporter = reporter;
    this.owner = new LedgerOwner(log, views, reporter, clock);
    this.sessions = new Sessions(owner);
    this.due = DueWork.of(owner, log, views, contents, reporter);
    this.tables = ExternalLockTables.NONE;
  }

  private Team(Team same, ExternalLockTables tables) {
    this.log = same.log;
    this.views = same.views;
    this.contents = same.contents;
    this.reporter = same.reporter;
    this.owner = same.owner;
    this.sessions = same.sessions;
    this.due = same.due;
    this.tables = tables;
  }

  /** The same team, whose leases must also be in the lock tables of other tools. */
  public Team withTables(ExternalLockTables others) {
    return new Team(this, others);
  }

  public Sessions sessions() {
    return sessions;
  }

  /** Begins a session under a name. */
  public Session join(String name) {
    Session session = Session.begin(name);
    var _ = sessions.join(session, Sessions.Profile.NONE);
    return session;
  }

  /** The mail of a session. */
  public Mail mail(Session session) {
    return new Mail(session, owner, due, log, views, contents, reporter);
  }

  /** The work that time has made due, for all agents. */
  public DueWork due() {
    return due;
  }

  /** The inbox of any agent, the oldest first. Reading it marks nothing and needs no session. */
  public List<ReceivedMail> lookAtInbox(String agent) {
    return Mail.look(new AgentName(agent).name(), log, views, reporter);
  }

  /** A message with its whole body; see {@link Mail#whole}. */
  public ReceivedMail whole(ReceivedMail letter) {
    return Mail.whole(letter, contents);
  }

  /** The owner of the ledger. */
  public LedgerOwner ledger() {
    return owner;
  }

  public Locks locks(Session session) {
    return new Locks(session, owner, tables);
  }

  public TaskList tasks(Session session) {
    return new TaskList(session, owner, tables);
  }

  public WaitService waits(Session session) {
    return new WaitService(session, owner);
  }

  /**
   * Works on tasks for a session.
   *
   * @param grace how long its claims and leases outlast a killed process
   */
  public Worker worker(Session session, Duration grace) {
    return new Worker(tasks(session), locks(session), owner, reporter, grace);
  }

  public BoardService boards(Session session) {
    return new BoardService(session, owner);
  }

  /** Reads the sessions of boards. */
  public BoardReader boards() {
    return new BoardReader(owner, log);
  }

  /** Records how a session's agent is woken; for the program that wakes it. */
  public WakeLog waking(Session session) {
    return new WakeLog(session, owner, log, views, reporter);
  }

  /** How an agent can be woken and what became of the attempts; needs no session. */
  public Wakes lookAtWakes(String agent) {
    return WakeLog.look(new AgentName(agent).name(), log, views, reporter);
  }

  public Bulletins bulletins() {
    return new Bulletins(log, views, reporter, owner);
  }
}
