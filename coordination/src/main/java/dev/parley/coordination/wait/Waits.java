package dev.parley.coordination.wait;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All declared waits. The queue for leases is separate: see {@code Leases}.
 *
 * <pre>
 * envelope     condition                                  effect
 * -----------  -----------------------------------------  ----------------------------------------
 * wait.begin   what is waited for is not known, and is    refused
 *              no task that may come "later"
 *              it is over already                         nothing; the answer says so
 *              there are too many waits already           refused: too-many
 *              a circle would close                       refused, naming it
 *              else                                       waits
 * wait.report  the same                                   refused
 *              it is over already                         nothing; the answer says so
 *              else                                       waits, whatever that closes
 * wait.end     one's own                                  ended
 *              else                                       refused
 * any          its time is over, its session has ended,   ended
 *              or what it waits for is over: the task,
 *              the leases that there were of the path,
 *              the board, or the agent has left;
 *              the board's next phase closes a circle
 * </pre>
 */
public final class Waits {
  private static final int LONGEST_TEXT = 500;
  private static final Set<Long> NONE = Set.of();

  private static final Comparator<Wait> BY_END =
      (one, other) -> {
        int order = one.until().compareTo(other.until());
        return order != 0 ? order : Long.compare(one.position(), other.position());
      };

  private final TreeMap<Long, Wait> waits = new TreeMap<>();
  private final TreeSet<Wait> byEnd = new TreeSet<>(BY_END);
  private final Map<String, Set<Long>> byTarget = new HashMap<>();
  private final Map<String, Set<Long>> byName = new HashMap<>();
  private final Map<String, Set<Long>> bySession = new HashMap<>();
  private final Map<Target.Kind, Set<Long>> byKind = new EnumMap<>(Target.Kind.class);

  /** The waits that may be over because their targets have changed. */
  private final TreeSet<Long> touched = new TreeSet<>();

  /** No waits. */
  public Waits() {}

  public Collection<Wait> all() {
    return Collections.unmodifiableCollection(waits.values());
  }

  public int size() {
    return waits.size();
  }

  /** The waits of one agent, in their order. */
  public List<Wait> ofName(String name) {
    List<Wait> own = new ArrayList<>();
    byName
        .getOrDefault(name, NONE)
        .forEach(position -> own.add(Objects.requireNonNull(waits.get(position))));
    return own;
  }

  public @Nullable Wait find(long position) {
    return waits.get(position);
  }

  /** Whether an agent waits for a task, which need not exist yet. */
  public boolean isForTask(String id) {
    return byTarget.containsKey(new Target(Target.Kind.TASK, id).toString());
  }

  /** Notes that a target has changed. */
  public void touch(Target.Kind kind, String name) {
    if (!waits.isEmpty()) {
      touched.addAll(byTarget.getOrDefault(new Target(kind, name).toString(), NONE));
    }
  }

  /** Notes that any target of a kind may have changed. */
  public void touch(Target.Kind kind) {
    touched.addAll(byKind.getOrDefault(kind, NONE));
  }

  /** Ends the waits that are over, by time or because of their targets. */
  public void pass(FoldTime time, Predicate<Wait> isOver) {
    for (Wait wait : byEnd) {
      if (!time.isAtOrAfter(wait.until())) {
        break;
      }
      touched.add(wait.position());
    }
    while (!touched.isEmpty()) {
      Wait wait = waits.get(touched.pollFirst());
      if (wait != null && (time.isAtOrAfter(wait.until()) || isOver.test(wait))) {
        remove(wait);
      }
    }
  }

  private void put(Wait wait) {
    waits.put(wait.position(), wait);
    byEnd.add(wait);
    add(byTarget, wait.target().toString(), wait);
    add(byName, wait.name(), wait);
    add(bySession, wait.session(), wait);
    add(byKind, wait.target().kind(), wait);
  }

  private void remove(Wait wait) {
    waits.remove(wait.position());
    byEnd.remove(wait);
    remove(byTarget, wait.target().toString(), wait);
    remove(byName, wait.name(), wait);
    remove(bySession, wait.session(), wait);
    remove(byKind, wait.target().kind(), wait);
  }

  private static <K> void add(Map<K, Set<Long>> map, K key, Wait wait) {
    map.computeIfAbsent(key, none -> new TreeSet<>()).add(wait.position());
  }

  private static <K> void remove(Map<K, Set<Long>> map, K key, Wait wait) {
    Set<Long> positions = map.get(key);
    if (positions != null) {
      positions.remove(wait.position());
      if (positions.isEmpty()) {
        map.remove(key);
      }
    }
  }

  /** The wait that a request asks for. */
  public static Wait of(Request request, Target target) {
    String about = request.text("about");
    return new Wait(
        request.position(),
        request.name(),
        request.session(),
        target,
        request.payload().text("tree", ""),
        request.now(),
        StoredTimes.later(
            request.now(), request.seconds("timeout", Wait.USUAL, Wait.LEAST, Wait.MOST)),
        about == null || about.length() <= LONGEST_TEXT ? about : about.substring(0, LONGEST_TEXT),
        request.type().equals(WaitTypes.REPORT));
  }

  public Outcome begin(Wait wait, List<String> toward) {
    put(wait);
    return new DeclaredWait(wait.position(), toward);
  }

  public Outcome end(Request request) {
    Wait wait = waits.get(request.payload().number("wait", 0));
    if (wait == null || !wait.session().equals(request.session())) {
      return Outcome.refused("not-waiting");
    }
    remove(wait);
    return Outcome.accepted(Json.object().put("ended", wait.position()));
  }

  /** Ends the wait that a line has begun; false if there is none. */
  public boolean undo(long position) {
    Wait wait = waits.get(position);
    if (wait != null) {
      remove(wait);
    }
    return wait != null;
  }

  public void endSession(String session) {
    for (long position : List.copyOf(bySession.getOrDefault(session, NONE))) {
      remove(Objects.requireNonNull(waits.get(position)));
    }
  }

  /** Moves all times back with the ledger's time, so that every remaining duration is kept. */
  public void moveBack(Duration by) {
    for (Wait wait : List.copyOf(waits.values())) {
      remove(wait);
      put(wait.movedBack(by));
    }
  }

  public Json save() {
    return Json.of(waits.values().stream().map(Wait::save).toList());
  }

  public static Waits load(@Nullable Json saved) {
    Waits waits = new Waits();
    if (saved != null) {
      for (Json item : saved.items()) {
        waits.put(Wait.load(Fields.of(item)));
      }
    }
    return waits;
  }
}
