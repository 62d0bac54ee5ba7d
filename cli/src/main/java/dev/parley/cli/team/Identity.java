package dev.parley.cli.team;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.Ancestry.Ancestor;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.SessionFiles;
import dev.parley.filelog.SessionFiles.Kept;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which session a command belongs to.
 *
 * <ol>
 *   <li>the one in {@code PARLEY_SESSION}, unless {@code --as} names somebody else;
 *   <li>the one that the nearest ancestor process joined with, under the name given if one is;
 *   <li>a new one under the name given: the first command joins by itself.
 * </ol>
 */
final class Identity {
  static final String SESSION = "PARLEY_SESSION";

  /** The code of the error when it is not clear who somebody is. */
  static final String SEVERAL = "several-identities";

  private final Invocation invocation;
  private final Sessions sessions;
  private final SessionFiles files;
  private final FileLog log;
  private final boolean shared;

  /**
   * @param shared whether others write to the same log for other agents, so that the user's key
   *     must stay the one that it writes with
   */
  Identity(
      Invocation invocation, Sessions sessions, SessionFiles files, FileLog log, boolean shared) {
    this.shared = shared;
    this.log = log;
    this.invocation = invocation;
    this.sessions = sessions;
    this.files = files;
  }

  /** The session that is there already; null if there is none, and none was begun. */
  @Nullable Session existing() {
    Session named = inEnvironment();
    return named != null ? named : ofAncestors(Ancestry.all());
  }

  /**
   * The session, joined.
   *
   * @throws ParleyException INVALID if nobody said who it is; REFUSED if the name is taken
   */
  Session joined() {
    return joined(null);
  }

  /**
   * @param profile what the agent says of itself; null to leave that as it is
   */
  Session joined(Sessions.@Nullable Profile profile) {
    Session session = inEnvironment();
    List<Ancestor> ancestors = session == null ? Ancestry.all() : List.of();
    if (session == null) {
      session = ofAncestors(ancestors);
    }
    boolean begun = session == null;
    if (session == null) {
      session = begin(ancestors);
    }
    if (!shared) {
      var _ = log.writeWith(session.writerKey());
    }
    boolean owns = sessions.owns(session);
    if (!owns || profile != null) {
      freeOfTheDead(session);
      try {
        var _ = sessions.join(session, profile == null ? Sessions.Profile.NONE : profile);
      } catch (ParleyException e) {
        if (begun) {
          forget(session); // nobody has joined: the next command shall not take it for somebody
        }
        throw e;
      }
    }
    return session;
  }

  private @Nullable Session inEnvironment() {
    String token = invocation.shell().variable(SESSION);
    if (token == null) {
      return null;
    }
    Session session = Session.parse(token);
    if (session == null) {
      throw ParleyException.invalid(
          "bad-session",
          SESSION + " does not hold a session.",
          "Set it as parley join --export prints it, or unset it.");
    }
    String as = invocation.arguments().value(CommonOptions.AS);
    return as == null || as.equals(session.name()) ? session : null;
  }

  private @Nullable Session ofAncestors(List<Ancestor> ancestors) {
    String name = invocation.agent();
    List<Kept> all = files.all();
    for (Ancestor process : ancestors) {
      List<Kept> own =
          all.stream()
              .filter(kept -> kept.pid() == process.pid() && kept.start() == process.start())
              .filter(kept -> name == null || kept.name().equals(name))
              .toList();
      if (own.size() > 1) {
        throw ParleyException.invalid(
            SEVERAL,
            "Several agents have joined from here: "
                + own.stream().map(Kept::name).sorted().collect(Collectors.joining(", "))
                + ".",
            "Say which one you are: --as <agent>, or export " + Invocation.AGENT + "=<agent>");
      }
      String token = own.isEmpty() ? null : files.read(own.getFirst());
      Session session = token == null ? null : Session.ofKept(token);
      if (session != null) {
        return session;
      }
    }
    return null;
  }

  /** Keeps a new session for the process that stays, before it is in the log. */
  private Session begin(List<Ancestor> ancestors) {
    String name = invocation.agent();
    if (name == null) {
      throw ParleyException.invalid(
          "no-identity",
          "Nobody said who you are.",
          "Once for this shell: export "
              + Invocation.AGENT
              + "=<agent>, or add --as <agent> to the command.");
    }
    Ancestor anchor = Ancestry.anchor(ancestors);
    Session fresh = Session.begin(new AgentName(name).name());
    String kept = files.keep(anchor.pid(), anchor.start(), name, fresh.kept());
    Session session = Session.ofKept(kept);
    return session == null ? fresh : session;
  }

  /** Whoever had the name in a process that is gone has left, though it could not say so. */
  private void freeOfTheDead(Session session) {
    for (Kept kept : files.all()) {
      if (kept.name().equals(session.name()) && !Ancestry.isAlive(kept.pid(), kept.start())) {
        String token = files.read(kept);
        Session dead = token == null ? null : Session.ofKept(token);
        if (dead != null && !dead.equals(session)) {
          sessions.end(dead.name(), dead.id(), "its process has ended");
        }
        files.forget(kept);
      }
    }
  }

  /** Forgets the session of the process that stays. */
  void forget(Session session) {
    for (Kept kept : files.all()) {
      String token = kept.name().equals(session.name()) ? files.read(kept) : null;
      if (token != null && session.equals(Session.ofKept(token))) {
        files.forget(kept);
      }
    }
  }
}
