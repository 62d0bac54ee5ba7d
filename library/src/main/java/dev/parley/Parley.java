package dev.parley;

import dev.parley.coordination.Team;
import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.wake.Wakes;
import dev.parley.coordination.work.BoardReader;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.bus.Bus;
import dev.parley.core.store.Store;
import dev.parley.filelog.BusFolder;
import dev.parley.text.Explanation;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * An open bus, with which every program begins.
 *
 * <pre>
 * try (Parley parley = Parley.open();
 *     Agent alice = parley.join("alice")) {
 *   alice.mail().send(Draft.question("bob", "Which port?", ""));
 * }
 * </pre>
 *
 * <p>A program opens a bus once and serves any number of agents with it. Safe for use by many
 * threads. {@link #close} ends everything that was opened through it.
 */
public final class Parley implements AutoCloseable {
  private final Bus bus;
  private final Team team;
  private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();

  private Parley(Store store, Reporter reporter) {
    this.bus = new Bus(store, reporter);
    this.team =
        new Team(store.log(), store.views(), store.contents(), reporter, InstantSource.system());
  }

  /**
   * Opens the bus that commands would find here: the one that {@code PARLEY_BUS} names, else the
   * nearest {@code .parley} from the working folder upwards. All worktrees of a repository share
   * one.
   *
   * @return the open bus
   * @throws ParleyException REFUSED if there is none, or it must not be used
   */
  public static Parley open() {
    return open(BusFolder.find(null, Path.of("").toAbsolutePath(), System.getenv()));
  }

  /**
   * Opens the bus in a folder.
   *
   * @param folder the bus itself, such as {@code project/.parley}
   * @return the open bus
   * @throws ParleyException REFUSED if there is none, or it must not be used
   */
  public static Parley open(Path folder) {
    Path path = folder.toAbsolutePath();
    return open(BusFolder.find(path, path, System.getenv()));
  }

  /**
   * Makes a bus in a folder unless one is there, and opens it.
   *
   * @param folder the bus itself, such as {@code project/.parley}
   * @return the open bus
   */
  public static Parley create(Path folder) {
    Path path = folder.toAbsolutePath();
    return open(BusFolder.init(path, path, System.getenv()).folder());
  }

  private static Parley open(BusFolder folder) {
    return on(folder.openStore());
  }

  /**
   * Opens the bus in a store of any kind. Closing the bus closes the store.
   *
   * @param store the store
   * @return the open bus
   */
  public static Parley on(Store store) {
    return on(store, Reporter.toLog(Explanation::messageOf));
  }

  /**
   * Opens the bus in a store of any kind.
   *
   * @param store the store
   * @param reporter receives what readers find, such as damage and repeats
   * @return the open bus
   */
  public static Parley on(Store store, Reporter reporter) {
    return new Parley(store, reporter);
  }

  /**
   * Makes a bus in the memory of this process. It ends when it is closed.
   *
   * @return the open bus
   */
  public static Parley inMemory() {
    return on(Store.inMemory());
  }

  /**
   * Begins a session under a name.
   *
   * @param name the agent's name
   * @return the agent; closing it ends the session
   * @throws ParleyException REFUSED if another session has the name; INVALID if the name is not
   *     allowed
   */
  public Agent join(String name) {
    return join(name, Sessions.Profile.NONE);
  }

  /**
   * Begins a session under a name, with a profile.
   *
   * @param name the agent's name
   * @param profile the agent's role and abilities
   * @return the agent; closing it ends the session
   */
  public Agent join(String name, Sessions.Profile profile) {
    Session session = Session.begin(name);
    var _ = team.sessions().join(session, profile);
    return keep(new Agent(session, team, true, open::remove));
  }

  /**
   * Continues a session that another process began. Closing the agent does not end that session.
   *
   * @param token what {@link Agent#token} answered there; commands have it in {@code
   *     PARLEY_SESSION}
   * @return the agent; closing it does not end the session
   * @throws ParleyException INVALID if the token is not valid; REFUSED if the session has ended
   */
  public Agent resume(String token) {
    Session session = Session.parse(token);
    if (session == null) {
      throw ParleyException.invalid(
          "bad-session",
          "This is not the token of a session.",
          "Pass on what Agent.token() answered, unchanged.");
    }
    var _ = team.ledger().present(session);
    return keep(new Agent(session, team, false, open::remove));
  }

  /** {@return all agents on the roster, whether they are here or not} */
  public List<Member> members() {
    return team.ledger().look(ledger -> List.copyOf(ledger.roster().members()));
  }

  /**
   * Converts a time of the ledger to the time that clocks show.
   *
   * @param time a time of the ledger
   * @return the same moment by the system's clock
   */
  public Instant shown(Instant time) {
    return team.ledger().shown(time);
  }

  /** {@return all leases, with their holders and when each ends} */
  public List<Lease> leases() {
    return team.ledger().look(ledger -> List.copyOf(ledger.leases().all()));
  }

  /** {@return all tasks, finished ones included} */
  public List<Task> tasks() {
    return team.ledger().look(ledger -> List.copyOf(ledger.tasks().all()));
  }

  /**
   * How an agent can be woken, and what became of the attempts.
   *
   * @param agent the agent's name
   * @return the fold of its wake requests
   */
  public Wakes wakes(String agent) {
    return team.lookAtWakes(agent);
  }

  /** {@return what boards have decided} */
  public BoardReader boards() {
    return team.boards();
  }

  /** {@return the bulletins of waves of workers} */
  public Bulletins bulletins() {
    return team.bulletins();
  }

  /** {@return the services by session, for surfaces that resume sessions themselves} */
  public Team team() {
    return team;
  }

  /** {@return the topics: publish and subscribe to messages of your own} */
  public Bus bus() {
    return bus;
  }

  /**
   * Calls a handler with every change of the ledger and the mailboxes, on one thread of its own, in
   * order within each topic.
   *
   * @param after where to go on, as {@link ChangeStream#places} answered it; empty for everything
   *     that ever happened
   * @param handler is called with each change
   * @return the stream, which ends when it is closed
   */
  public ChangeStream follow(Map<String, Long> after, Consumer<Change> handler) {
    return keep(ChangeStream.start(bus, team.ledger(), after, handler, open::remove));
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  /** Ends sessions and streams that were begun here, and closes the bus. */
  @Override
  public void close() {
    for (AutoCloseable resource : open) {
      try {
        resource.close();
      } catch (Exception e) {
        // Close the bus anyway. A session that could not leave will become stale.
      }
    }
    bus.close();
  }
}
