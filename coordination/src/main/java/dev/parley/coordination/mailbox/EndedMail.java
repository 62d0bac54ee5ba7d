package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Lazy;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The messages of a mailbox that ended last; older ones are dropped. */
final class EndedMail {
  private final ArrayDeque<Lazy<MailboxEntry>> entries = new ArrayDeque<>();

  /** The same messages by position; null until needed, so that loading a view stays cheap. */
  private @Nullable Map<Position, MailboxEntry> byPosition;

  /** Adds a message that has ended, and drops the oldest beyond the limit. */
  void add(MailboxEntry entry, int limit) {
    Map<Position, MailboxEntry> known = byPosition();
    entries.add(Lazy.of(entry));
    known.put(entry.position(), entry);
    while (entries.size() > limit) {
      known.remove(entries.remove().get().position());
    }
  }

  @Nullable MailboxEntry find(Position position) {
    return entries.isEmpty() ? null : byPosition().get(position);
  }

  /** All messages that are kept, the oldest first. */
  List<MailboxEntry> all() {
    return entries.stream().map(Lazy::get).toList();
  }

  /**
   * Takes back the steps that these lines prove; removes and returns the messages that are open
   * again.
   */
  List<MailboxEntry> takeBack(Set<String> proofs) {
    List<MailboxEntry> reopened = new ArrayList<>();
    for (Lazy<MailboxEntry> one : List.copyOf(entries)) {
      MailboxEntry entry = one.get();
      if (entry.takeBack(proofs) && !entry.hasEnded()) {
        entries.remove(one);
        reopened.add(entry);
      }
    }
    byPosition = null;
    return reopened;
  }

  private Map<Position, MailboxEntry> byPosition() {
    Map<Position, MailboxEntry> known = byPosition;
    if (known == null) {
      known = new HashMap<>();
      for (MailboxEntry entry : all()) {
        known.put(entry.position(), entry);
      }
      byPosition = known;
    }
    return known;
  }

  Json save() {
    return Json.of(entries.stream().map(entry -> entry.save(MailboxEntry::save)).toList());
  }

  void load(List<Json> saved) {
    for (Json item : saved) {
      entries.add(Lazy.saved(item, MailboxEntry::load));
    }
  }
}
