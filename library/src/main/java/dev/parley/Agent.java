package dev.parley;

import dev.parley.coordination.Team;
import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.wake.WakeLog;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.WaitService;
import dev.parley.coordination.work.Worker;
import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An agent on the bus, for as long as its session lasts.
 *
 * <p>Safe for use by many threads. {@link #close} ends the session, and with it the leases, claims
 * and waits of this agent. A session that was resumed goes on.
 */
public final class Agent implements AutoCloseable {
  private final Session session;
  private final Team team;
  private final Mail mail;
  private final WakeLog waking;
  private final boolean ends;
  private final Consumer<AutoCloseable> onClose;
  private final AtomicBoolean closed = new AtomicBoolean();

  Agent(Session session, Team team, boolean ends, Consumer<AutoCloseable> onClose) {
    this.session = session;
    this.team = team;
    this.mail = team.mail(session);
    this.waking = team.waking(session);
    this.ends = ends;
    this.onClose = onClose;
  }

  /** {@return the name on the roster} */
  public String name() {
    return session.name();
  }

  /**
   * The token with which another process can continue this session. A command that is started with
   * it in {@code PARLEY_SESSION} acts for this agent.
   *
   * @return the secret of the session
   */
  public String token() {
    return session.token();
  }

  /** {@return the mail of this agent: send, list, read, answer, wait} */
  public Mail mail() {
    return mail;
  }

  /** {@return how this agent is woken when it is idle, for the program that wakes it} */
  public WakeLog waking() {
    return waking;
  }

  /**
   * Takes an exclusive lease on paths for the usual time: on all of them or on none.
   *
   * @param paths paths or patterns, relative to the root of the working tree
   * @return the lease, which ends when it is closed
   * @throws RefusedException if another agent holds or waits for one of the paths
   */
  public HeldLease lock(String... paths) {
    return lock(LockRequest.of(paths));
  }

  /**
   * Takes a lease on paths on given terms: on all of them or on none.
   *
   * @param wanted the paths and the terms
   * @return the lease, which ends when it is closed
   * @throws RefusedException if another agent holds or waits for one of the paths
   */
  public HeldLease lock(LockRequest wanted) {
    return new HeldLease(team.locks(session), team.locks(session).lock(wanted));
  }

  /**
   * Takes a lease on paths, waiting in the queue if need be.
   *
   * @param wanted the paths and the terms
   * @param wait how long to wait at most
   * @return the lease, which ends when it is closed
   * @throws RefusedException if the time is over, or waiting would be a deadlock
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public HeldLease lock(LockRequest wanted, Duration wait) throws InterruptedException {
    return new HeldLease(team.locks(session), team.locks(session).lock(wanted, wait));
  }

  /** {@return everything about leases: take, renew, check, release} */
  public Locks locks() {
    return team.locks(session);
  }

  /** {@return the tasks: add, claim and finish them} */
  public TaskList tasks() {
    return team.tasks(session);
  }

  /**
   * {@return a worker that claims a task, leases its files, sends heartbeats, and releases
   * everything}
   */
  public Worker worker() {
    return team.worker(session, Worker.GRACE);
  }

  /**
   * Posts a notice on the bulletin of a wave.
   *
   * @param wave the wave, such as {@code wave-1}
   * @param kind what the notice is
   * @param text 1 to 4,000 characters
   * @param paths the paths of an intent; if empty, those that its text names
   * @return the notice as it was posted
   */
  public Bulletins.Posted post(String wave, Notice.Kind kind, String text, List<String> paths) {
    return team.bulletins().post(session, wave, kind, text, paths);
  }

  /** {@return the boards: open, assess, discuss and vote} */
  public BoardService boards() {
    return team.boards(session);
  }

  /**
   * {@return the waits of this agent for a task, a path, an agent or a board; declared waits are
   * checked for deadlocks}
   */
  public WaitService waits() {
    return team.waits(session);
  }

  /**
   * Reports that the agent is alive, and what it is doing.
   *
   * @param beat the status and what the agent works on
   * @return the agent as the roster has it now
   * @throws ParleyException REFUSED if the session does not have its name any more
   */
  public Member heartbeat(Sessions.Beat beat) {
    return team.sessions().heartbeat(session, beat);
  }

  /** Ends the session; doing it twice does no harm. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      onClose.accept(this);
      if (ends) {
        team.sessions().leave(session, null);
      }
    }
  }

  @Override
  public String toString() {
    return session.toString();
  }
}
