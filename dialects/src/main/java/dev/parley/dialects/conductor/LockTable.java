package dev.parley.dialects.conductor;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.WholeTopic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.conductor.LockDifferences.Held;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Flock;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.MirrorTypes;
import dev.parley.text.Explanation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps {@code locks.json} and the leases of the bus in step, under {@code flock} on {@code
 * .lock_mutex}.
 *
 * <p>A lock in the file counts as held, because a worker that finds its name there asks nobody
 * else. So a program that overwrites one of our locks holds it from then on. A lock of ours that
 * was only removed is put back. In both cases the lease holder and the workers are told.
 *
 * <p>Used by one thread at a time.
 */
public final class LockTable {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /**
   * A reserved lock outlives the requested time by this much, so that it lasts until the ledger has
   * decided.
   */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private final BusAccess bus;
  private final Path mutex;
  private final JsonObjectFile file;

  public LockTable(Path folder, BusAccess bus) {
    this.bus = bus;
    this.mutex = folder.resolve(".lock_mutex");
    this.file = new JsonObjectFile(folder.resolve("locks.json"), bus.remarks());
  }

  /** Takes the mutex, so that no other process decides about locks meanwhile. */
  public Flock lock() {
    return Flock.take(mutex);
  }

  /**
   * Brings the file and the ledger in step. The mutex is taken only if they differ.
   *
   * @return whether they differed and are now in step
   */
  boolean exchange() {
    if (differences().isNone()) {
      return false;
    }
    try (Flock held = Flock.take(mutex, PATIENCE)) {
      if (held == null) {
        bus.remarks()
            .accept(
                new FileRemark(mutex, 0, true, "has been held by another process for a long time"));
        return false;
      }
      settle();
      return differences().isNone();
    }
  }

  private LockDifferences differences() {
    Map<String, Json> there = file.read();
    Map<String, String> notes = bus.state().get().toldOf(LockDifferences.NOTE);
    Instant now = bus.owner().wall();
    Duration ahead = bus.owner().wallAhead();
    return bus.owner()
        .look(ledger ->
            LockDifferences.of(
                there == null ? Map.of() : LockEntry.all(there),
                there == null ? List.of() : byWallClock(ledger.leases().all(), ahead),
                there == null ? Map.of() : notes,
                this::isForeign,
                now));
  }

  /** The leases with their ends converted to wall-clock time, which the file uses. */
  private static Collection<Lease> byWallClock(Collection<Lease> leases, Duration ahead) {
    return ahead.isZero()
        ? leases
        : leases.stream()
            .map(lease ->
                new Lease(lease.token(), lease.terms(), lease.since(), lease.until().plus(ahead)))
            .toList();
  }

  private boolean isForeign(Lease lease) {
    return bus.isOurs(lease.holder(), lease.terms().session());
  }

  /** Brings the file and the ledger in step. The caller holds the mutex. */
  public void settle() {
    LockDifferences found = differences();
    found.taken().forEach(this::taken);
    found.longer().forEach(this::renew);
    found.freed().forEach(this::release);
    found.lost().forEach(this::tellLost);
    LockDifferences rest = differences();
    if (!rest.isNone()) {
      write(rest);
    }
  }

  private void taken(LockEntry entry) {
    Instant now = bus.owner().now();
    PathPattern path = PathPattern.of(PathPattern.quote(entry.path()));
    for (Lease lease : bus.owner().look(ledger -> List.copyOf(ledger.leases().all()))) {
      boolean isOther = !lease.holder().equals(entry.worker()) && !isForeign(lease);
      if (isOther && lease.touches(path) && now.isBefore(lease.until())) {
        tell(
            lease,
            entry.path(),
            entry.worker(),
            entry.worker()
                + " overwrote the lock of "
                + lease.holder()
                + " on "
                + entry.path()
                + ", and has it now.");
      }
    }
    Duration ttl =
        entry.expires() == null
            ? LeaseTerms.TTL
            : Duration.between(bus.owner().wall(), entry.expires());
    ask(
        entry.worker(),
        LeaseTypes.REPORT,
        Json.object()
            .put("paths", Json.ofStrings(List.of(path.toString())))
            .put("repo", true)
            .put("ttl", seconds(ttl)));
  }

  private void renew(Held held) {
    ask(
        held.lease().holder(),
        LeaseTypes.RENEW,
        Json.object()
            .put("token", held.lease().token())
            .put("ttl", seconds(Duration.between(bus.owner().wall(), held.until()))));
  }

  private void release(Held held) {
    ask(
        held.lease().holder(),
        LeaseTypes.RELEASE,
        Json.object()
            .put("token", held.lease().token())
            .put("paths", Json.ofStrings(List.of(PathPattern.quote(held.path())))));
  }

  /** Rounds up, because a lease that ends within a second is still held. */
  private static long seconds(Duration time) {
    return Math.clamp(
        time.plusMillis(999).toSeconds(),
        LeaseTerms.LEAST_TTL.toSeconds(),
        LeaseTerms.MOST_TTL.toSeconds());
  }

  private void ask(String agent, String type, Json.ObjectBuilder payload) {
    try {
      Session session = bus.standIn(agent);
      var _ = bus.owner().ask(session, type, payload);
    } catch (ParleyException e) {
      bus.remarks().accept(new FileRemark(file.path(), 0, false, Explanation.of(e).message()));
    }
  }

  private void tellLost(Held held) {
    tell(
        held.lease(),
        held.path(),
        null,
        "The lock of "
            + held.lease().holder()
            + " on "
            + held.path()
            + " was dropped from the file by a program that did not take the mutex. It is there"
            + " again, but was not for a moment.");
  }

  /**
   * Tells the workers by a message in their queue, and the lease holder by mail. The mail's key is
   * that message's position, so a process that repeats this after a crash sends no second mail.
   */
  private void tell(Lease lease, String path, @Nullable String worker, String text) {
    String key = "clobbered:" + lease.token() + " " + path + "/" + worker;
    Position said = said(key);
    if (said == null) {
      Json payload =
          Json.object()
              .put("filepath", path)
              .put("holder", lease.holder())
              .put("worker", worker)
              .put("message", text)
              .build();
      said = say(MirrorTypes.LOCK_CLOBBERED, payload, key);
    }
    Json mail = Json.object().put("subject", "Your lock on " + path).put("body", text).build();
    var _ =
        bus.deputy()
            .deliver(
                lease.holder(),
                Message.builder(Bus.SYSTEM, MirrorTypes.LOCK_LOST)
                    .to(List.of(lease.holder()))
                    .payload(mail)
                    .key(bus.mount() + "/lock/" + said.value())
                    .automatic(true)
                    .build());
  }

  private Position say(String type, Json payload, String key) {
    Message message =
        Message.builder(Bus.SYSTEM, type).payload(payload).key(key).automatic(true).build();
    return bus.log().append(bus.topic(), List.of(message)).getFirst().position();
  }

  /**
   * The position of a message that a killed process stored but did not note; null if there is none.
   */
  private @Nullable Position said(String key) {
    Bookmark from = bus.log().bookmark(bus.topic(), bus.state().get().pushedTo(bus.topic()));
    for (Batch batch : WholeTopic.batches(bus.log(), bus.topic(), from)) {
      for (Envelope envelope : batch.envelopes()) {
        if (key.equals(envelope.key())) {
          return envelope.position();
        }
      }
    }
    return null;
  }

  /**
   * Notes the locks that are about to be written. If this process is killed after the write, the
   * next one knows from the note that the entries are ours, and removes those whose leases are
   * over.
   */
  private void announce(LockDifferences rest, Map<String, String> notes) {
    Map<String, @Nullable String> told = new LinkedHashMap<>();
    for (Held held : rest.missing()) {
      String before = notes.get(held.path());
      if (before == null || !before.endsWith(" " + held.acquired())) {
        told.put(LockDifferences.NOTE + held.path(), held.announcement());
      }
    }
    if (!told.isEmpty()) {
      bus.tell(told);
    }
  }

  /** Writes our locks into the file, then notes that they are there. */
  private void write(LockDifferences rest) {
    Map<String, String> notes = bus.state().get().toldOf(LockDifferences.NOTE);
    announce(rest, notes);
    Map<String, @Nullable String> told = new LinkedHashMap<>();
    boolean written =
        file.change(fields -> {
          told.clear();
          Map<String, LockEntry> there = LockEntry.all(fields);
          for (String path : rest.ended()) {
            LockEntry entry = there.get(path);
            if (entry != null && LockDifferences.isNoted(entry, notes.get(path))) {
              fields.remove(entry.key());
            }
            told.put(LockDifferences.NOTE + path, null);
          }
          Consumer<Held> put = held -> put(held, fields, there, notes, told);
          rest.lost().forEach(put);
          rest.missing().forEach(put);
          return fields;
        });
    if (written && !told.isEmpty()) {
      bus.tell(told);
    }
  }

  private void put(
      Held held,
      Map<String, Json> fields,
      Map<String, LockEntry> there,
      Map<String, String> notes,
      Map<String, @Nullable String> told) {
    LockEntry entry = there.get(held.path());
    boolean isOthers =
        entry != null
            && entry.isLive(bus.owner().wall())
            && !entry.worker().equals(held.lease().holder())
            && !LockDifferences.isNoted(entry, notes.get(held.path()));
    if (!isOthers) {
      String key = entry == null ? held.path() : entry.key();
      boolean same = entry != null && entry.worker().equals(held.lease().holder());
      fields.put(
          key,
          LockEntry.json(
              held.lease().holder(), held.acquired(), held.until(), same ? fields.get(key) : null));
      told.put(LockDifferences.NOTE + held.path(), held.note());
    }
  }

  /**
   * Writes locks into the file before the ledger decides about them. The caller holds the mutex.
   * Either all are written, or none if another worker holds one of them: then the ledger will not
   * grant them.
   *
   * @return what {@link #settle(String, Map)} needs to remove the locks that were not granted
   * @throws ParleyException FAILED if the file can't be read; then nobody knows who holds what
   */
  public Map<String, Json> reserve(String agent, List<String> paths, Duration ttl) {
    Instant now = bus.owner().wall();
    String acquired = Timestamps.format(now);
    Instant until = now.plus(ttl).plus(MARGIN);
    Map<String, Json> reserved = new LinkedHashMap<>();
    boolean written =
        file.change(fields -> {
          reserved.clear();
          Map<String, LockEntry> there = LockEntry.all(fields);
          boolean free =
              paths.stream()
                  .map(there::get)
                  .filter(Objects::nonNull)
                  .allMatch(entry -> !entry.isLive(now) || entry.worker().equals(agent));
          for (String path : free ? paths : List.<String>of()) {
            LockEntry entry = there.get(path);
            if (entry != null && entry.isLive(now)) {
              fields.put(entry.key(), entry.lasting(until, fields.get(entry.key())));
            } else {
              Json lock = LockEntry.json(agent, acquired, until, null);
              fields.put(entry == null ? path : entry.key(), lock);
              reserved.put(path, lock);
            }
          }
          return fields;
        });
    if (!written) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "foreign-file",
          file.path() + " can't be read, so the locks are unknown.",
          "Make that file a JSON object again.");
    }
    return reserved;
  }

  /** Removes the reserved locks that the ledger did not grant, then brings both in step. */
  public void settle(String agent, Map<String, Json> reserved) {
    Map<String, Json> refused = new LinkedHashMap<>(reserved);
    for (Lease lease : bus.owner().look(ledger -> List.copyOf(ledger.leases().all()))) {
      if (lease.holder().equals(agent)) {
        lease.paths().forEach(path -> refused.remove(String.valueOf(path.path())));
      }
    }
    if (!refused.isEmpty()) {
      var _ =
          file.change(fields -> {
            LockEntry.all(fields)
                .forEach((path, entry) -> fields.remove(entry.key(), refused.get(path)));
            return fields;
          });
    }
    settle();
  }

  /** Removes the locks of a broken lease from the file. The caller holds the mutex. */
  public void remove(Lease lease) {
    List<String> paths =
        lease.paths().stream().map(PathPattern::path).filter(Objects::nonNull).toList();
    var _ =
        file.change(fields -> {
          for (LockEntry entry : LockEntry.all(fields).values()) {
            if (paths.contains(entry.path()) && entry.worker().equals(lease.holder())) {
              fields.remove(entry.key());
            }
          }
          return fields;
        });
    settle();
  }
}
