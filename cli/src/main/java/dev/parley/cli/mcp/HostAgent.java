package dev.parley.cli.mcp;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.ParleyException;
import dev.parley.session.Caller;
import dev.parley.session.NameInUseException;
import dev.parley.session.SessionFinder;
import dev.parley.session.SessionFinder.How;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the session that a host's agent speaks for, and begins one if need be. */
public final class HostAgent {
  /** How many agents of one host can be told apart by a number. */
  private static final int MOST = 99;

  private HostAgent() {}

  /**
   * The agent, joined: under the name that was given, or the first free one of the host's names.
   *
   * @param host what to call it if nobody said; null if that must be said
   * @throws ParleyException INVALID if nobody said who it is
   */
  public static Agent joined(
      Parley parley, Sessions sessions, Path bus, Caller caller, @Nullable String host) {
    Session session = session(sessions, bus, caller, host);
    return parley.resume(session.token());
  }

  static Session session(Sessions sessions, Path bus, Caller caller, @Nullable String host) {
    boolean isNamed = caller.as() != null || caller.environment().containsKey(Caller.AGENT);
    if (host == null || isNamed || caller.environment().containsKey(Caller.SESSION)) {
      return resumed(sessions, bus, caller);
    }
    Session here = new SessionFinder(sessions, bus, caller).existing();
    if (here != null) {
      return resumed(sessions, bus, named(caller, here.name()));
    }
    for (int number = 1; number < MOST; number++) {
      try {
        return resumed(sessions, bus, named(caller, number == 1 ? host : host + "-" + number));
      } catch (NameInUseException e) {
        // Another one of the same host runs beside it.
      }
    }
    return resumed(sessions, bus, named(caller, host + "-" + MOST));
  }

  /**
   * The agent of this name, joined, for whoever has shown that it is this agent: it does not matter
   * from where the name is used otherwise.
   */
  static Agent byCredential(Parley parley, Sessions sessions, Path bus, String name, Path folder) {
    Caller caller = new Caller(name, Map.of(), folder);
    Session there = new SessionFinder(sessions, bus, caller).existing();
    Session session =
        there != null && sessions.owns(there) ? there : resumed(sessions, bus, caller);
    return parley.resume(session.token());
  }

  private static Caller named(Caller caller, String name) {
    return new Caller(name, caller.environment(), caller.folder());
  }

  private static Session resumed(Sessions sessions, Path bus, Caller caller) {
    return new SessionFinder(sessions, bus, caller)
        .joined(null, How.RESUME, session -> {})
        .session();
  }
}
