package dev.parley.coordination.wait;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A declared wait of an agent. Declaring it lets the ledger find cycles of waits.
 *
 * @param position of the envelope that declared it, which identifies it
 * @param tree the working tree of a path
 * @param until when it ends at the latest, in the ledger's time
 * @param about the reason in a few words, such as the id of a question
 * @param reported whether another tool reported it, so that it could not be refused
 */
public record Wait(
    long position,
    String name,
    String session,
    Target target,
    String tree,
    Instant since,
    Instant until,
    @Nullable String about,
    boolean reported) {

  /** The default duration of a wait. */
  public static final Duration USUAL = Duration.ofMinutes(5);

  public static final Duration LEAST = Duration.ofSeconds(1);
  public static final Duration MOST = Duration.ofDays(7);

  Wait movedBack(Duration by) {
    return new Wait(
        position,
        name,
        session,
        target,
        tree,
        StoredTimes.earlier(since, by),
        StoredTimes.earlier(until, by),
        about,
        reported);
  }

  Json save() {
    Json.ObjectBuilder json =
        Json.object()
            .put("position", position)
            .put("name", name)
            .put("session", session)
            .put("for", target.toString())
            .put("tree", tree)
            .put("since", Timestamps.format(since))
            .put("until", Timestamps.format(until))
            .put("reported", reported);
    return (about == null ? json : json.put("about", about)).build();
  }

  static Wait load(Fields saved) {
    return new Wait(
        saved.number("position", 0),
        saved.text("name", ""),
        saved.text("session", ""),
        Target.of(saved.text("for", ""), name -> false, name -> false),
        saved.text("tree", ""),
        saved.need("since"),
        saved.need("until"),
        saved.text("about"),
        saved.flag("reported"));
  }
}
