package dev.parley.coordination.mail;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.store.Views;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The mailboxes that one session reads, each kept up to date. Used by one thread at a time. */
final class Mailboxes {
  /** How many mailboxes stay in memory: the ones used last. */
  private static final int KEPT = 64;

  private final Log log;
  private final Views views;
  private final Reporter reporter;
  private final Map<String, FoldReader<Mailbox>> open =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, FoldReader<Mailbox>> eldest) {
          return size() > KEPT;
        }
      };

  Mailboxes(Log log, Views views, Reporter reporter) {
    this.log = log;
    this.views = views;
    this.reporter = reporter;
  }

  Log log() {
    return log;
  }

  FoldReader<Mailbox> folded(String agent) {
    return open.computeIfAbsent(
        agent, name -> new FoldReader<>(log, views, reporter, Mailbox.of(name)));
  }

  /** A mailbox, brought up to date. */
  Mailbox of(String agent) {
    return folded(agent).refresh();
  }

  /** The most lines that one read takes. */
  private static final int BATCH = 256;

  /**
   * Reads the content of messages in batches; the entries must be in the order of the mailbox.
   * Messages that are gone from the log are left out.
   */
  void readAll(String agent, List<MailboxEntry> entries, BiConsumer<MailboxEntry, Envelope> each) {
    int next = 0;
    while (next < entries.size()) {
      List<Envelope> lines = readFrom(agent, entries.get(next), entries.size() - next);
      int before = next;
      for (Envelope line : lines) {
        if (next < entries.size() && line.position().equals(entries.get(next).position())) {
          each.accept(entries.get(next), line);
          next++;
        }
      }
      next = next == before ? next + 1 : next; // this message is gone
    }
  }

  /** Lines from the position of a message on. Damaged lines before it may take several reads. */
  private List<Envelope> readFrom(String agent, MailboxEntry entry, int wanted) {
    Topic topic = Mailbox.mailOf(agent);
    Bookmark from = Bookmark.at(entry.after());
    try {
      while (from.position().compareTo(entry.position()) < 0) {
        Batch batch = log.read(topic, from, Math.min(BATCH, wanted));
        if (!batch.envelopes().isEmpty() || batch.next().position().equals(from.position())) {
          return batch.envelopes();
        }
        from = batch.next();
      }
    } catch (LostPlaceException e) {
      // The topic was replaced just now; the next refresh reports it.
    }
    return List.of();
  }

  /** The content of a message; null if it is gone from the log. */
  @Nullable Envelope read(String agent, MailboxEntry entry) {
    Envelope latest = folded(agent).lastKnown().latest(entry);
    if (latest != null) {
      return latest;
    }
    List<Envelope> found = readFrom(agent, entry, 1);
    return !found.isEmpty() && found.getFirst().position().equals(entry.position())
        ? found.getFirst()
        : null;
  }
}
