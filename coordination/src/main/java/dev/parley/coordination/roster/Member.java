package dev.parley.coordination.roster;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent on the roster.
 *
 * @param session the session that has the name; null once it has left
 * @param heard the time of the session's last envelope, in the ledger's time
 * @param progress in percent; -1 if never stated
 * @param note what the agent wrote last about its work, or why it left
 * @param position of the line that gave its session the name
 */
public record Member(
    String name,
    @Nullable String session,
    @Nullable String role,
    List<String> can,
    Instant joined,
    Instant heard,
    Status status,
    @Nullable String task,
    int progress,
    @Nullable String note,
    long position) {

  public boolean hasLeft() {
    return session == null;
  }

  /** Whether the agent lives in another tool's files and has no session of its own. */
  public boolean isMounted() {
    return session != null && Session.isMounted(session);
  }

  /** Whether the session has been silent for too long. */
  public boolean isStale(Instant now, Duration staleAfter) {
    return !hasLeft() && !now.isBefore(heard.plus(staleAfter));
  }

  /** Whether the session has neither left nor become stale. */
  public boolean isLive(Instant now, Duration staleAfter) {
    return !hasLeft() && !isStale(now, staleAfter);
  }

  /** Whether another session may take the name. */
  public boolean givesWay(Instant now, Duration staleAfter) {
    return isMounted() || !isLive(now, staleAfter);
  }

  Member heard(Instant now) {
    return new Member(
        name, session, role, can, joined, now, status, task, progress, note, position);
  }

  Member left(Instant now, @Nullable String why) {
    return new Member(name, null, role, can, joined, now, status, task, progress, why, position);
  }

  Member movedBack(Duration by) {
    return new Member(
        name,
        session,
        role,
        can,
        StoredTimes.earlier(joined, by),
        StoredTimes.earlier(heard, by),
        status,
        task,
        progress,
        note,
        position);
  }

  Json save() {
    Json.ObjectBuilder json = Json.object().put("name", name);
    putText(json, "session", session);
    putText(json, "role", role);
    json.put("can", Json.ofStrings(can))
        .put("joined", Timestamps.format(joined))
        .put("heard", Timestamps.format(heard))
        .put("status", status.name());
    putText(json, "task", task);
    json.put("progress", progress);
    putText(json, "note", note);
    return json.put("position", position).build();
  }

  private static void putText(Json.ObjectBuilder json, String name, @Nullable String text) {
    if (text != null) {
      json.put(name, text);
    }
  }

  static Member load(Fields saved) {
    Instant joined = saved.time("joined");
    Instant heard = saved.time("heard");
    String name = saved.text("name");
    if (joined == null || heard == null || name == null) {
      throw new IllegalArgumentException("not a member");
    }
    return new Member(
        name,
        saved.text("session"),
        saved.text("role"),
        saved.texts("can"),
        joined,
        heard,
        Status.valueOf(saved.text("status", "")),
        saved.text("task"),
        (int) saved.number("progress", -1),
        saved.text("note"),
        saved.number("position", 0));
  }
}
