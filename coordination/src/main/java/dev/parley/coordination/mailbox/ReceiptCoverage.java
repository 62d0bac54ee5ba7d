package dev.parley.coordination.mailbox;

import dev.parley.core.Position;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an inbox that a receipt can still change. Receipts are cumulative, so most of
 * what each one says is known already. This is a cache: it is never saved, and can be forgotten at
 * any time.
 */
final class ReceiptCoverage {
  /** The sessions that it is remembered of; then all are forgotten. */
  private static final int MOST_SESSIONS = 4_096;

  /** Those that were not seen. */
  private final TreeMap<Position, MailboxEntry> unseen = new TreeMap<>();

  /** Those of them that can be given out, or given out again. */
  private final TreeMap<Position, MailboxEntry> givable = new TreeMap<>();

  /** By the session; what is said of none is under the empty name, all others begin with a dot. */
  private final Map<String, Given> sessions = new HashMap<>();

  /** What was said of a session: it was given everything through a place, but for some. */
  private static final class Given {
    Position through = Position.START;
    final TreeSet<Position> left = new TreeSet<>();
  }

  ReceiptCoverage(Collection<MailboxEntry> inbox, int steps) {
    inbox.forEach(entry -> put(entry, steps));
  }

  /** Takes note of a message, or of how far it has come. */
  void put(MailboxEntry entry, int steps) {
    boolean seen = entry.has(DeliveryState.SEEN);
    keep(unseen, entry, !seen);
    keep(
        givable,
        entry,
        !seen && (!entry.has(DeliveryState.DELIVERED) || entry.trail().size() < steps));
  }

  private static void keep(Map<Position, MailboxEntry> map, MailboxEntry entry, boolean there) {
    if (there) {
      map.put(entry.position(), entry);
    } else {
      map.remove(entry.position());
    }
  }

  void remove(MailboxEntry entry) {
    unseen.remove(entry.position());
    givable.remove(entry.position());
  }

  /** What a receipt may change that says so much was seen. */
  List<MailboxEntry> seen(Position through, Set<Long> except) {
    List<MailboxEntry> found = new ArrayList<>();
    for (MailboxEntry entry : unseen.headMap(through, true).values()) {
      if (!except.contains(entry.position().value())) {
        found.add(entry);
      }
    }
    return found;
  }

  /** What a receipt may change that says so much was given to a session. */
  List<MailboxEntry> given(@Nullable String session, Position through, Set<Long> except) {
    if (sessions.size() >= MOST_SESSIONS) {
      sessions.clear();
    }
    Given given =
        sessions.computeIfAbsent(session == null ? "" : "." + session, name -> new Given());
    TreeMap<Position, MailboxEntry> open = new TreeMap<>();
    for (Position left : given.left.headSet(through, true)) {
      MailboxEntry entry = givable.get(left);
      if (entry != null) {
        open.put(left, entry);
      }
    }
    given.left.headSet(through, true).clear();
    if (given.through.compareTo(through) < 0) {
      open.putAll(givable.subMap(given.through, false, through, true));
      given.through = through;
    }
    List<MailboxEntry> found = new ArrayList<>();
    open.forEach((position, entry) -> {
      if (except.contains(position.value())) {
        given.left.add(position);
      } else {
        found.add(entry);
      }
    });
    return found;
  }
}
