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

/** Finds the session of a host's agent, and begins one if there is none. */
public final class HostAgent {
  /** The most agents of one host that are told apart by a number. */
  private static final int MOST = 99;

  private HostAgent() {}

  /**
   * The joined agent, under the given name or the first free name of the host.
   *
   * @param host the base of the name if none is given; null if a name is required
   * @throws ParleyException INVALID if a name is required but missing
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
        // Another agent of the same host has this name.
      }
    }
    return resumed(sessions, bus, named(caller, host + "-" + MOST));
  }

  /**
   * The agent of this name, joined. Only for callers that have proved to be this agent, so it does
   * not matter where else the name is in use.
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
