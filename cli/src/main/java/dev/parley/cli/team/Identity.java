package dev.parley.cli.team;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.session.Caller;
import dev.parley.session.ResumedSession;
import dev.parley.session.SessionFinder;
import dev.parley.session.SessionFinder.How;
import org.jspecify.annotations.Nullable;

/** The session that a command acts for, and what the caller is told about it. */
final class Identity {
  /** The variable with a session. */
  static final String SESSION = Caller.SESSION;

  /** The error code if several sessions are possible. */
  static final String SEVERAL = SessionFinder.SEVERAL;

  private final Invocation invocation;
  private final SessionFinder finder;
  private final FileLog log;
  private final boolean shared;

  /**
   * @param shared whether others write to the same log for other agents; then it must keep the
   *     user's key
   * @param usual the agent if the caller does not name itself; null if there is none
   */
  Identity(
      Invocation invocation,
      Sessions sessions,
      BusFolder bus,
      FileLog log,
      boolean shared,
      @Nullable String usual) {
    this.invocation = invocation;
    this.log = log;
    this.shared = shared;
    String as = invocation.arguments().value(CommonOptions.AS);
    Caller caller =
        new Caller(
            as == null ? usual : as, invocation.shell().environment(), invocation.shell().folder());
    this.finder = new SessionFinder(sessions, bus.path(), caller);
  }

  /** The existing session; null if there is none. No session is begun. */
  @Nullable Session existing() {
    return finder.existing();
  }

  /** The session to end. Refused while its name is in use elsewhere. */
  @Nullable Session own() {
    return finder.own();
  }

  /** The session, joined. */
  Session joined() {
    ResumedSession resumed = resumed(null, How.RESUME);
    if (resumed.isNew()) {
      // A name that was mistyped shows here.
      invocation.notices().say(Printable.text(resumed.session().name()) + " joined (new).");
    }
    return resumed.session();
  }

  /**
   * @param profile what the agent tells about itself; null to leave it unchanged
   */
  Session joined(Sessions.@Nullable Profile profile, How how) {
    return resumed(profile, how).session();
  }

  private ResumedSession resumed(Sessions.@Nullable Profile profile, How how) {
    ResumedSession resumed = finder.joined(profile, how, this::writeWith);
    if (resumed.isFromElsewhere()) {
      invocation
          .notices()
          .say(
              Printable.text(resumed.session().name())
                  + " continues from another "
                  + String.join(" and ", resumed.differences())
                  + (resumed.tree().isEmpty()
                      ? "."
                      : "; before, it was in " + Printable.text(resumed.tree()) + "."));
    }
    return resumed;
  }

  private void writeWith(Session session) {
    if (!shared) {
      var _ = log.writeWith(session.writerKey());
    }
  }

  void forget(Session session) {
    finder.forget(session);
  }
}
