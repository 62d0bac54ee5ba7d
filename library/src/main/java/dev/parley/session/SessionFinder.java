package dev.parley.session;

import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.filelog.store.SessionFiles;
import dev.parley.filelog.store.SessionFiles.Kept;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the session that a caller speaks for.
 *
 * <pre>
 * the caller has                                     it speaks for
 * -------------------------------------------------  --------------------------------------------
 * PARLEY_SESSION, and no other name for this call    that session
 * a name, and nobody has a session of that name      a new one
 * a name in use from a place that is its own too     the session of that name
 * a name in use elsewhere, by a process that runs    refused; a take-over begins a new session,
 *                                                      which ends the other
 * a name that no visible process uses any more       the session of that name, and is told if the
 *                                                      place is another one
 * no name                                            the agent that joined from its host session, or
 *                                                      from its nearest ancestor
 * </pre>
 *
 * Two places are the same if their hosts name the same session, or if the anchor of one is an
 * ancestor of the other. A pid has no meaning outside of its namespace, so a place in another
 * namespace does not prove that a name is in use.
 */
public final class SessionFinder {
  /** The code of the error when several agents have joined from the caller's place. */
  public static final String SEVERAL = "several-identities";

  /** A person is one agent, at however many terminals. */
  private static final Set<String> PEOPLE = Set.of("human");

  /** How many places of a session in other namespaces are kept. */
  private static final int MOST_UNSEEN = 8;

  private static final Path MACHINE = Path.of("/proc/sys/kernel/hostname");

  private final Sessions sessions;
  private final SessionFiles files;
  private final Caller caller;
  private final Ancestry ancestry = Ancestry.ofThisProcess();
  private final @Nullable HostSession host;

  /**
   * @param bus the folder of the bus
   */
  public SessionFinder(Sessions sessions, Path bus, Caller caller) {
    this.sessions = sessions;
    this.files = new SessionFiles(bus);
    this.caller = caller;
    this.host = HostSession.in(caller.environment());
  }

  /**
   * The session of the caller, even if its name is in use elsewhere; null if there is none. Does
   * not join.
   */
  public @Nullable Session existing() {
    Session named = inEnvironment();
    if (named != null) {
      return named;
    }
    String name = name(files.all());
    return name == null ? null : kept(name);
  }

  /**
   * The session that the caller may end; null if there is none.
   *
   * @throws NameInUseException if its name is in use elsewhere
   */
  public @Nullable Session own() {
    Session session = existing();
    if (session != null && inEnvironment() == null) {
      refuseIfElsewhere(session.name(), places(files.all(), session.name()));
    }
    return session;
  }

  /** How to find the session. */
  public enum How {
    RESUME,

    /**
     * As {@code RESUME}; from now on commands from this place without a name act for this agent.
     */
    BIND,

    /** As {@code RESUME}, even if the name is in use elsewhere: that session ends. */
    TAKE_OVER
  }

  /**
   * The session of the caller, joined to the bus.
   *
   * @param profile the agent's role and abilities; null to leave them as they are
   * @param before receives the session before anything is written for it
   * @throws NameInUseException if its name is in use elsewhere
   * @throws ParleyException INVALID if the caller gave no name and none is found; REFUSED if
   *     another session has the name
   */
  public ResumedSession joined(
      Sessions.@Nullable Profile profile, How how, Consumer<Session> before) {
    Session named = inEnvironment();
    if (named != null) {
      before.accept(named);
      join(named, profile, false);
      return ResumedSession.here(named);
    }
    List<Kept> all = files.all();
    String name = name(all);
    if (name == null) {
      throw ParleyException.invalid(
          "no-identity",
          "No agent name is set.",
          "Once for this shell: export "
              + Caller.AGENT
              + "=<agent>, or add --as <agent> to the command.");
    }
    Session session = kept(name);
    return session == null
        ? begin(name, profile, how, before)
        : resume(session, places(all, name), profile, how, before);
  }

  private ResumedSession resume(
      Session session,
      List<KeptPlace> places,
      Sessions.@Nullable Profile profile,
      How how,
      Consumer<Session> before) {
    boolean isTaken = elsewhere(session.name(), places) != null;
    if (isTaken && how == How.TAKE_OVER) {
      return takeOver(session.name(), places, profile, before);
    }
    refuseIfElsewhere(session.name(), places);
    before.accept(session);
    join(session, profile, how == How.TAKE_OVER);
    KeptPlace same = same(places);
    if (same != null && (how == How.RESUME || same.place().binds())) {
      return ResumedSession.here(session);
    }
    KeptPlace latest = same == null ? last(places) : null;
    SessionPlace last = latest == null ? null : latest.place();
    SessionPlace here = here(how != How.RESUME);
    tidy(places);
    files.keepPlace(session.name(), here.anchor().toString(), here.write());
    List<String> differences = last == null ? List.of() : here.differencesFrom(last);
    if (last == null || differences.isEmpty() || PEOPLE.contains(session.name())) {
      return ResumedSession.here(session);
    }
    sessions.resumed(session, differences, here.tree());
    return new ResumedSession(session, differences, last.tree(), false);
  }

  private ResumedSession begin(
      String name, Sessions.@Nullable Profile profile, How how, Consumer<Session> before) {
    Session fresh = Session.begin(new AgentName(name).name());
    // The secret is kept before the join is in the log, so that two commands that begin at once
    // share a session.
    Session kept = Session.ofKept(files.keep(name, fresh.kept()));
    Session session = kept == null ? fresh : kept;
    SessionPlace here = here(how != How.RESUME);
    files.keepPlace(name, here.anchor().toString(), here.write());
    before.accept(session);
    boolean isNew = !PEOPLE.contains(name) && !sessions.knows(name);
    try {
      join(session, profile, how == How.TAKE_OVER);
    } catch (ParleyException e) {
      if (session.equals(fresh)) {
        forget(session); // the join failed: the next command must not find this session
      }
      throw e;
    }
    return new ResumedSession(session, List.of(), "", isNew);
  }

  private ResumedSession takeOver(
      String name,
      List<KeptPlace> places,
      Sessions.@Nullable Profile profile,
      Consumer<Session> before) {
    Session fresh = Session.begin(name);
    before.accept(fresh);
    join(fresh, profile, true);
    places.forEach(place -> files.forget(place.kept()));
    files.replace(name, fresh.kept());
    SessionPlace here = here(true);
    files.keepPlace(name, here.anchor().toString(), here.write());
    return ResumedSession.here(fresh);
  }

  private void join(Session session, Sessions.@Nullable Profile profile, boolean takeOver) {
    if (profile != null || !sessions.isAlive(session)) {
      var _ = sessions.join(session, profile == null ? Sessions.Profile.NONE : profile, takeOver);
    }
  }

  private @Nullable Session inEnvironment() {
    String token = caller.variable(Caller.SESSION);
    if (token == null) {
      return null;
    }
    Session session = Session.parse(token);
    if (session == null) {
      throw ParleyException.invalid(
          "bad-session",
          Caller.SESSION + " does not hold a session.",
          "Set it as parley join --export prints it, or unset it.");
    }
    return caller.as() == null || caller.as().equals(session.name()) ? session : null;
  }

  /** The session that is kept under a name; null if there is none. */
  private @Nullable Session kept(String name) {
    String secret = files.secret(name);
    Session session = secret == null ? null : Session.ofKept(secret);
    return session != null && session.name().equals(name) ? session : null;
  }

  /** A place that is kept; its details are read when needed. */
  private final class KeptPlace {
    private final Kept kept;
    private final ProcessKey anchor;
    private @Nullable SessionPlace place;

    KeptPlace(Kept kept, ProcessKey anchor) {
      this.kept = kept;
      this.anchor = anchor;
    }

    Kept kept() {
      return kept;
    }

    SessionPlace place() {
      if (place == null) {
        place = SessionPlace.read(anchor, files.read(kept));
      }
      return place;
    }

    /** The distance of its anchor among the caller's ancestors; -1 if it is none of them. */
    int distance() {
      int distance = ancestry.distance(anchor);
      boolean isOther = distance >= 0 && host != null && host.differsWithinAProcess(place().host());
      return isOther ? -1 : distance;
    }

    boolean isOfSameHostSession() {
      return host != null && host.equals(place().host());
    }
  }

  /** The kept places of one name, or of all names. */
  private List<KeptPlace> places(List<Kept> all, @Nullable String name) {
    List<KeptPlace> places = new ArrayList<>();
    for (Kept kept : all) {
      String text = name == null || kept.name().equals(name) ? kept.place() : null;
      ProcessKey anchor = text == null ? null : ProcessKey.parse(text);
      if (anchor != null) {
        places.add(new KeptPlace(kept, anchor));
      }
    }
    return places;
  }

  private @Nullable KeptPlace same(List<KeptPlace> places) {
    for (KeptPlace one : places) {
      if (one.distance() >= 0) {
        return one;
      }
    }
    for (KeptPlace one : places) {
      boolean isBelow =
          ancestry.hasStarted(one.anchor)
              && (host == null || !host.differsWithinAProcess(one.place().host()));
      if (one.isOfSameHostSession() || isBelow || isPerhapsOurs(one)) {
        return one;
      }
    }
    return null;
  }

  /**
   * Whether a place may be the caller's. A command whose parent has ended can't show which agent
   * started it. In the same working tree it counts as a background command of the agent there.
   */
  private boolean isPerhapsOurs(KeptPlace one) {
    return ancestry.isOrphan()
        && ancestry.isAlive(one.anchor)
        && one.place().tree().equals(tree(caller.folder()));
  }

  private @Nullable KeptPlace elsewhere(String name, List<KeptPlace> places) {
    if (PEOPLE.contains(name) || same(places) != null) {
      return null;
    }
    for (KeptPlace one : places) {
      if (ancestry.isAlive(one.anchor)) {
        return one;
      }
    }
    return null;
  }

  private void refuseIfElsewhere(String name, List<KeptPlace> places) {
    KeptPlace other = elsewhere(name, places);
    if (other != null) {
      throw new NameInUseException(name, other.place());
    }
  }

  private @Nullable KeptPlace last(List<KeptPlace> places) {
    KeptPlace last = null;
    for (KeptPlace one : places) {
      last = last == null || files.time(one.kept) > files.time(last.kept) ? one : last;
    }
    return last;
  }

  /**
   * Removes the places whose processes are gone, and the oldest of those that can't be seen from
   * here.
   */
  private void tidy(List<KeptPlace> places) {
    List<KeptPlace> unseen = new ArrayList<>();
    for (KeptPlace one : places) {
      if (!ancestry.mayBeAlive(one.anchor)) {
        files.forget(one.kept);
      } else if (!ancestry.isAlive(one.anchor)) {
        unseen.add(one);
      }
    }
    if (unseen.size() >= MOST_UNSEEN) {
      unseen.sort(Comparator.comparingLong(one -> files.time(one.kept)));
      unseen.subList(0, unseen.size() - MOST_UNSEEN + 1).forEach(one -> files.forget(one.kept));
    }
  }

  /**
   * The name that was given, or under which an agent joined from this place; null if there is none.
   */
  private @Nullable String name(List<Kept> all) {
    String given = caller.name();
    if (given != null) {
      return new AgentName(given).name();
    }
    List<KeptPlace> places = places(all, null);
    Set<String> names = new TreeSet<>();
    int nearest = Integer.MAX_VALUE;
    for (KeptPlace one : places) {
      int distance = one.distance();
      if (distance >= 0 && distance <= nearest && one.place().binds()) {
        if (distance < nearest) {
          names.clear();
          nearest = distance;
        }
        names.add(one.kept.name());
      }
    }
    if (host != null) {
      Set<String> ofHost = new TreeSet<>();
      for (KeptPlace one : places) {
        if (one.isOfSameHostSession() && one.place().binds()) {
          ofHost.add(one.kept.name());
        }
      }
      names = ofHost.isEmpty() ? names : ofHost;
    }
    if (names.size() > 1) {
      throw ParleyException.invalid(
          SEVERAL,
          "Several agents have joined from here: " + String.join(", ", names) + ".",
          "Say which one you are: --as <agent>, or export " + Caller.AGENT + "=<agent>");
    }
    return names.isEmpty() ? null : names.iterator().next();
  }

  /** The place of the caller. */
  private SessionPlace here(boolean binds) {
    return new SessionPlace(
        ancestry.anchor(), host, tree(caller.folder()), ancestry.terminal(), machine(), binds);
  }

  private static String tree(Path folder) {
    Path real = folder;
    try {
      real = folder.toRealPath();
    } catch (IOException e) {
      // Use the path as it was given.
    }
    for (Path above = real; above != null; above = above.getParent()) {
      if (Files.exists(above.resolve(".git"))) {
        return above.toString();
      }
    }
    return real.toString();
  }

  private static String machine() {
    try {
      return Files.readString(MACHINE).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Removes a session that has ended, and all its places. */
  public void forget(Session session) {
    if (!session.equals(kept(session.name()))) {
      return; // another session has the name by now
    }
    for (Kept kept : files.all()) {
      if (kept.name().equals(session.name())) {
        files.forget(kept);
      }
    }
  }
}
