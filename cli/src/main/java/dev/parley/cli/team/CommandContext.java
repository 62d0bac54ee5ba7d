package dev.parley.cli.team;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Stop;
import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.bus.Bus;
import dev.parley.core.names.SpellingSuggestion;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command's opened bus, and the agent that it acts for. */
public final class CommandContext {
  private final BusFolder bus;
  private final FileLog log;
  private final Team team;
  private final Identity identity;
  private final Notices notices;

  private CommandContext(Invocation invocation, @Nullable String usual) {
    OpenedBus opened = invocation.openedBus();
    this.bus = opened.folder();
    this.log = opened.log();
    ExternalLockTables foreign = MountedLockTables.locks(invocation, opened);
    this.team = foreign == null ? opened.team() : opened.team().withTables(foreign);
    this.identity = new Identity(invocation, team.sessions(), bus, log, foreign != null, usual);
    this.notices = invocation.notices();
  }

  public static CommandContext open(Invocation invocation) {
    return new CommandContext(invocation, null);
  }

  /** The context of a command that an agent of this name began, unless the caller names itself. */
  public static CommandContext openFor(Invocation invocation, String usual) {
    return new CommandContext(invocation, invocation.agent() == null ? usual : null);
  }

  public BusFolder bus() {
    return bus;
  }

  public FileLog log() {
    return log;
  }

  public Team team() {
    return team;
  }

  public Sessions sessions() {
    return team.sessions();
  }

  /** The caller's session; joins if necessary. */
  public Session session() {
    return identity.joined();
  }

  /** Reports recent ledger lines that others wrote under the caller's session. */
  public void tellOfForgeries(Session session) {
    for (Envelope line : Forgeries.lately(log, session, bus.writerKey())) {
      notices.say(Forgeries.describe(line));
    }
  }

  /**
   * Checks that an agent is known here.
   *
   * @throws ParleyException REFUSED if nobody on this bus has heard of that agent
   */
  public void checkKnown(String agent) {
    List<String> names = team.ledger().look(ledger -> ledger.roster().names());
    if (!agent.equals("human") && !names.contains(agent)) {
      String nearest = SpellingSuggestion.to(agent, names);
      throw ParleyException.refused(
          "unknown-agent",
          "Unknown agent " + agent + ".",
          (nearest == null ? "" : "Did you mean " + nearest + "? ")
              + "List the agents: parley who");
    }
  }

  /** Does due work for everybody before the caller reads. */
  public void catchUp() {
    team.due().process(Bus.SYSTEM);
  }

  /** Does due work for everybody while the caller waits. */
  public DueWork.Keeping keepingUp() {
    return team.due().keep(session().name(), notices);
  }

  /**
   * Does due work for everybody while the caller waits. A signal interrupts the wait, so that
   * nobody else believes that it goes on.
   */
  public DueWork.Keeping waiting() {
    Stop stop = Stop.interrupting();
    DueWork.Keeping keeping = keepingUp();
    return () -> {
      try {
        keeping.close();
      } finally {
        stop.close();
      }
    };
  }

  /** The same; nothing if the caller does not wait. */
  public DueWork.Keeping waiting(Duration atMost) {
    return atMost.isZero() ? () -> {} : waiting();
  }

  /** The caller's mail; joins if necessary. */
  public Mail mail() {
    return team.mail(session());
  }

  /** The caller's session if it exists and is unambiguous; never joins. */
  public @Nullable Session existingSession() {
    try {
      return identity.existing();
    } catch (ParleyException e) {
      if (e.code().equals(Identity.SEVERAL)) {
        return null;
      }
      throw e;
    }
  }

  /** Ends a session, which frees its name. */
  public void leave(Session session, @Nullable String reason) {
    sessions().leave(session, reason);
    identity.forget(session);
  }

  Identity identity() {
    return identity;
  }
}
