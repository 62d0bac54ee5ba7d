package dev.parley;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.ledger.DecisionLookup;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.work.BlindRedaction;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.bus.Handler;
import dev.parley.core.bus.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Calls a handler with every change of the ledger and the mailboxes, until it is closed. One thread
 * at a time calls the handler.
 *
 * <p>To go on after a break, keep the result of {@link #places} and follow from there: the handler
 * gets each change once. If the handler throws, that is reported, and it gets the next change.
 */
public final class ChangeStream implements AutoCloseable {
  private static final List<String> MAILBOXES = List.of("mail", "receipts", "sent");

  private final DecisionLookup decisions;
  private final Consumer<Change> handler;
  private final Consumer<AutoCloseable> onClose;
  private final Map<Topic, Long> places = new HashMap<>();
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private boolean closed;

  private ChangeStream(
      DecisionLookup decisions,
      Map<String, Long> after,
      Consumer<Change> handler,
      Consumer<AutoCloseable> onClose) {
    this.decisions = decisions;
    this.handler = handler;
    this.onClose = onClose;
    after.forEach((topic, position) -> places.put(new Topic(topic), position));
  }

  static ChangeStream start(
      Bus bus,
      LedgerOwner owner,
      Map<String, Long> after,
      Consumer<Change> handler,
      Consumer<AutoCloseable> onClose) {
    ChangeStream changes = new ChangeStream(owner.decisions(), after, handler, onClose);
    changes.follow(bus, new Prefix(Ledger.TOPIC), changes.ledgerHandler(owner));
    for (String root : MAILBOXES) {
      changes.follow(bus, Prefix.of(root), envelope -> changes.tell(envelope, Outcome.none()));
    }
    return changes;
  }

  /** Looks up the decision about each line, and hides blind assessments. */
  private Handler ledgerHandler(LedgerOwner owner) {
    BlindRedaction redaction = new BlindRedaction(owner);
    return envelope -> {
      Outcome outcome = decisions.of(envelope);
      tell(redaction.over(envelope), outcome);
    };
  }

  private void follow(Bus bus, Prefix prefix, Handler each) {
    Map<Topic, Bookmark> from = new HashMap<>();
    synchronized (places) {
      places.forEach((topic, position) -> {
        if (prefix.covers(topic)) {
          from.put(topic, Bookmark.at(new Position(position)));
        }
      });
    }
    subscriptions.add(bus.subscribe(prefix, FeedStart.after(from), each));
  }

  private void tell(Envelope envelope, Outcome outcome) {
    synchronized (places) {
      if (closed) {
        return; // the next stream from these places gets it
      }
      try {
        handler.accept(new Change(envelope, outcome));
      } finally {
        places.put(envelope.topic(), envelope.position().value());
      }
    }
  }

  /** {@return how far the handler was told, by topic, for {@link Parley#follow} to go on from} */
  public Map<String, Long> places() {
    synchronized (places) {
      Map<String, Long> now = new TreeMap<>();
      places.forEach((topic, position) -> now.put(topic.name(), position));
      return now;
    }
  }

  /** Ends the stream. A running handler finishes its change, and no further change follows. */
  @Override
  public void close() {
    synchronized (places) {
      closed = true;
    }
    onClose.accept(this);
    subscriptions.forEach(Subscription::close);
    decisions.close();
  }
}
