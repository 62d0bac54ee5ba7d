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
 * what each one states is known already. A cache: it is never saved and can be dropped at any time.
 */
final class ReceiptCoverage {
  /** How many sessions are cached; beyond that the cache of all sessions is dropped. */
  private static final int MOST_SESSIONS = 4_096;

  /** The messages that no session has seen. */
  private final TreeMap<Position, MailboxEntry> unseen = new TreeMap<>();

  /** Those of them that can still be delivered, for the first time or again. */
  private final TreeMap<Position, MailboxEntry> givable = new TreeMap<>();

  /**
   * By session. The empty key is for receipts without a session; all other keys begin with a dot.
   */
  private final Map<String, Given> sessions = new HashMap<>();

  /** What a session was given: everything through a position, except for some messages. */
  private static final class Given {
    Position through = Position.START;
    final TreeSet<Position> left = new TreeSet<>();
  }

  ReceiptCoverage(Collection<MailboxEntry> inbox, int steps) {
    inbox.forEach(entry -> put(entry, steps));
  }

  /** Notes a message, or its new state. */
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

  /** The messages that change if everything through a position was seen. */
  List<MailboxEntry> seen(Position through, Set<Long> except) {
    List<MailboxEntry> found = new ArrayList<>();
    for (MailboxEntry entry : unseen.headMap(through, true).values()) {
      if (!except.contains(entry.position().value())) {
        found.add(entry);
      }
    }
    return found;
  }

  /** The messages that change if a session was given everything through a position. */
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
