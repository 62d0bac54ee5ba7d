package dev.parley.coordination.wait;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.Times;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what, beside those who wait in line for a lease.
 *
 * <pre>
 * envelope     condition                                  effect
 * -----------  -----------------------------------------  ----------------------------------------
 * wait.begin   what is waited for is not known, and is    refused
 *              no task that may come "later"
 *              it is over already                         nothing; the answer says so
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

  private final TreeMap<Long, Wait> waits = new TreeMap<>();

  public Collection<Wait> all() {
    return Collections.unmodifiableCollection(waits.values());
  }

  public @Nullable Wait find(long position) {
    return waits.get(position);
  }

  /** Whether somebody waits for a task, which need not be there yet. */
  public boolean isForTask(String id) {
    return waits.values().stream()
        .map(Wait::target)
        .anyMatch(target -> target.kind() == Target.Kind.TASK && target.name().equals(id));
  }

  /** Ends what is over by time, or because what it waits for is. */
  public void pass(FoldTime time, Predicate<Wait> isOver) {
    waits.values().removeIf(wait -> time.isAtOrAfter(wait.until()) || isOver.test(wait));
  }

  /** What a request wants to wait for. */
  public static Wait of(Request request, Target target) {
    String about = request.text("about");
    return new Wait(
        request.position(),
        request.name(),
        request.session(),
        target,
        request.payload().text("tree", ""),
        request.now(),
        Times.later(request.now(), request.seconds("timeout", Wait.USUAL, Wait.LEAST, Wait.MOST)),
        about == null || about.length() <= LONGEST_TEXT ? about : about.substring(0, LONGEST_TEXT),
        request.type().equals(WaitTypes.REPORT));
  }

  public Outcome begin(Wait wait, List<String> toward) {
    waits.put(wait.position(), wait);
    return Outcome.accepted(
        Json.object().put("waiting", wait.position()).put("for", Json.ofStrings(toward)));
  }

  public Outcome end(Request request) {
    Wait wait = waits.get(request.payload().number("wait", 0));
    if (wait == null || !wait.session().equals(request.session())) {
      return Outcome.refused("not-waiting", "This wait is over already.", "Go on.");
    }
    waits.remove(wait.position());
    return Outcome.accepted(Json.object().put("ended", wait.position()));
  }

  public void endSession(String session) {
    waits.values().removeIf(wait -> wait.session().equals(session));
  }

  /** Keeps every remaining duration when the time goes back. */
  public void moveBack(Duration by) {
    waits.replaceAll((position, wait) -> wait.movedBack(by));
  }

  public Json save() {
    return Json.of(waits.values().stream().map(Wait::save).toList());
  }

  public static Waits load(@Nullable Json saved) {
    Waits waits = new Waits();
    if (saved != null) {
      for (Json item : saved.items()) {
        Wait wait = Wait.load(Fields.of(item));
        waits.waits.put(wait.position(), wait);
      }
    }
    return waits;
  }
}
