package dev.parley.core.bus;

import dev.parley.core.Bookmark;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Cursors;
import dev.parley.core.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where programs publish and subscribe, on any log.
 *
 * <p>Safe for use by many threads. Closing it ends its feeds and subscriptions and appends what was
 * published without waiting; after that, using it is an error.
 */
public final class Bus implements AutoCloseable {
  /** The sender of what Parley itself writes. */
  public static final String SYSTEM = "parley";

  /** How many messages that nobody waits for may pile up, unless the bus is told otherwise. */
  public static final int DEFAULT_PENDING = 1 << 16;

  private final Log log;
  private final Cursors cursors;
  private final Reporter reporter;
  private final Publisher publisher;
  private final Set<Ending> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public Bus(Log log, Cursors cursors, Reporter reporter) {
    this(log, cursors, reporter, DEFAULT_PENDING);
  }

  /** A bus on what a store keeps; closing it closes the store. */
  public Bus(Store store, Reporter reporter) {
    this(store.log(), store.cursors(), reporter, store.maxPending());
  }

  /**
   * A bus on a log.
   *
   * @param maxPending how many messages may pile up before {@link #publishAsync} waits
   */
  public Bus(Log log, Cursors cursors, Reporter reporter, int maxPending) {
    this.log = log;
    this.cursors = cursors;
    this.reporter = reporter;
    this.publisher = new Publisher(log, maxPending);
  }

  /** A bus of its own, in this process. */
  public static Bus inMemory() {
    return new Bus(new MemoryLog(), Cursors.inMemory(), Reporter.TO_LOG);
  }

  public Log log() {
    return log;
  }

  /** Appends one message and waits until it is stored. */
  public Stored publish(Topic topic, Message message) {
    checkOpen();
    return log.append(topic, message);
  }

  /** Appends messages in order and waits until they are stored; see {@link Log#append}. */
  public List<Stored> publish(Topic topic, List<Message> messages) {
    checkOpen();
    return log.append(topic, messages);
  }

  /**
   * Appends a message soon, together with others; the future says when it is stored, or why not.
   * Waits only while very many are pending.
   */
  public CompletableFuture<Stored> publishAsync(Topic topic, Message message) {
    checkOpen();
    return publisher.publish(topic, message);
  }

  /** A feed to pull envelopes from; nothing appended after this call is missed. */
  public Feed feed(Prefix prefix, FeedStart start) {
    checkOpen();
    return keep(new Feed(log, prefix, from -> places(prefix, start), reporter));
  }

  /** Calls {@code handler} with every envelope from {@code start} on; see {@link Subscription}. */
  public Subscription subscribe(
      Prefix prefix, FeedStart start, Handler handler, OnFailure onFailure) {
    Feed feed = feed(prefix, start);
    Subscription.@Nullable Saver saver =
        start instanceof FeedStart.Cursor(String name)
            ? places -> cursors.save(name, places)
            : null;
    Subscription subscription =
        keep(new Subscription(log, prefix, feed, handler, onFailure, saver, reporter));
    subscription.start();
    return subscription;
  }

  public Subscription subscribe(Prefix prefix, FeedStart start, Handler handler) {
    return subscribe(prefix, start, handler, OnFailure.GO_ON);
  }

  private Map<Topic, Bookmark> places(Prefix prefix, FeedStart start) {
    return switch (start) {
      case FeedStart.Beginning() -> Map.of();
      case FeedStart.End() -> {
        Map<Topic, Bookmark> ends = new HashMap<>();
        log.topics(prefix).forEach(topic -> ends.put(topic, log.end(topic)));
        yield ends;
      }
      case FeedStart.After(Map<Topic, Bookmark> places) -> {
        // Refuses a place that is not in its topic, now rather than later.
        places.forEach((topic, place) -> log.read(topic, place, 0));
        yield places;
      }
      case FeedStart.Cursor(String name) -> cursors.load(name);
    };
  }

  /** Something that ends by itself, or with the bus. */
  interface Ending extends AutoCloseable {
    boolean hasEnded();

    @Override
    void close();
  }

  private <T extends Ending> T keep(T resource) {
    open.removeIf(Ending::hasEnded);
    open.add(resource);
    if (closed) { // in the meantime, perhaps without having seen it
      resource.close();
    }
    checkOpen();
    return resource;
  }

  private void checkOpen() {
    if (closed) {
      throw ParleyException.closed("bus");
    }
  }

  @Override
  public void close() {
    closed = true;
    publisher.close();
    open.forEach(Ending::close);
    log.close();
  }
}
