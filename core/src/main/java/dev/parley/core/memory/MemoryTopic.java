package dev.parley.core.memory;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.time.BootTime;
import dev.parley.core.writer.WriterId;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One topic in memory: pages that are only ever added to. Readers take no lock, and nothing is done
 * for each of them: a reader is a position, however many there are.
 *
 * <p>Invariant: the envelope at index i has position and seq i + 1. What is below {@link #size} is
 * in its place and never changes.
 */
final class MemoryTopic {
  private final Topic topic;
  private final WriterId writer;
  private final LocalDoorbell.TopicNotifier notifier;

  /** Held while appending. */
  final ReentrantLock lock = new ReentrantLock();

  private long lastMicros = Long.MIN_VALUE;
  private MemoryPage last;
  private volatile MemoryPage[] pages;
  private final AtomicLong size = new AtomicLong();

  MemoryTopic(Topic topic, WriterId writer, LocalDoorbell.TopicNotifier notifier) {
    this.topic = topic;
    this.writer = writer;
    this.notifier = notifier;
    this.last = new MemoryPage(topic, writer);
    this.pages = new MemoryPage[] {last};
  }

  long size() {
    return size.get();
  }

  /** Wakes the readers that wait. Called after the lock was released. */
  void ring() {
    notifier.ring();
  }

  /** When the last message was added. Only under the lock. */
  long lastMicros() {
    return lastMicros;
  }

  WriterId writer() {
    return writer;
  }

  /** Adds a message and says its seq. Only under the lock. */
  long add(long micros, @Nullable BootTime clock, Message message) {
    long end = size.get();
    int page = (int) (end / MemoryPage.SIZE);
    int index = (int) (end % MemoryPage.SIZE);
    if (index == 0 && page > 0) {
      addPage(page);
    }
    last.put(index, micros, clock, message);
    lastMicros = micros;
    // From here on everyone sees it; at the latest when the lock is given back, and so before a
    // bell is looked at. To wait for that here, as a volatile write does, costs a tenth of it all.
    size.setRelease(end + 1);
    return end + 1;
  }

  private void addPage(int number) {
    MemoryPage[] all = pages;
    if (number == all.length) {
      all = Arrays.copyOf(all, 2 * number);
    }
    last = new MemoryPage(topic, writer);
    all[number] = last;
    pages = all;
  }

  /** The envelope at a position. */
  Envelope at(long position) {
    return at(position, pages);
  }

  private Envelope at(long position, MemoryPage[] all) {
    return new Envelope(position, all[(int) ((position - 1) / MemoryPage.SIZE)]);
  }

  /** At most {@code limit} envelopes after a position. */
  List<Envelope> after(long position, int limit) {
    Envelope[] found = new Envelope[(int) Math.min(limit, size() - position)];
    MemoryPage[] all = pages;
    for (int i = 0; i < found.length; i++) {
      found[i] = at(position + i + 1, all);
    }
    return Collections.unmodifiableList(Arrays.asList(found));
  }
}
