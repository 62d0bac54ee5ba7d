package dev.parley.core;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

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

  /** For those who append. */
  final ReentrantLock lock = new ReentrantLock();

  private long added;
  private volatile MemoryPage[] pages = {};
  private volatile long size;

  MemoryTopic(Topic topic, WriterId writer) {
    this.topic = topic;
    this.writer = writer;
  }

  long size() {
    return size;
  }

  /** Adds a message that nobody sees yet, and says its seq. Only under the lock. */
  long add(long number, long micros, Message message) {
    int page = (int) (added / MemoryPage.SIZE);
    int index = (int) (added % MemoryPage.SIZE);
    MemoryPage[] all = pages;
    if (index == 0) {
      all = page < all.length ? all : Arrays.copyOf(all, 2 * page + 1);
      all[page] = new MemoryPage(writer);
      pages = all;
    }
    all[page].put(index, number, micros, message);
    return ++added;
  }

  /** Lets everyone see what was added. Only under the lock. */
  void show() {
    size = added;
  }

  /** The envelope at a position. */
  Envelope at(long position) {
    return new Envelope(topic, position, pages[(int) ((position - 1) / MemoryPage.SIZE)]);
  }

  /** At most {@code limit} envelopes after a position. */
  List<Envelope> after(long position, int limit) {
    Envelope[] found = new Envelope[(int) Math.min(limit, size - position)];
    for (int i = 0; i < found.length; i++) {
      found[i] = at(position + i + 1);
    }
    return List.of(found);
  }
}
