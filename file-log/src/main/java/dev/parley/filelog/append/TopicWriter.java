package dev.parley.filelog.append;

import dev.parley.core.AppendException;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.time.CachedClock;
import dev.parley.core.time.TimestampSequence;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.Durability;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.keys.SignedTopics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Appends to one topic for all threads of this process.
 *
 * <p>Threads put their messages into a queue; whoever gets the lock encodes all that is in it and
 * has it stored with one write, and one sync, for all of them. Who gets it at once goes first. The
 * others sleep until theirs is done or the lock is free: if each had to take the lock to learn that
 * it is done, they would never meet in the queue again. Invariant: under the lock, {@code seq} is
 * the seq of the last line that was stored or may have been.
 */
public final class TopicWriter {
  /** The most that is written at once, unless a single line is longer. */
  static final int MAX_WRITE = 256 * 1024;

  /** How often a new id is taken for the same lines. */
  private static final int MAX_IDS = 16;

  /** A longer line is read back from the file by whoever wants it. */
  private static final int MOST_KEPT = 16 * 1024;

  private final Topic topic;
  private final Limits limits;
  private final AtomicLong numbers;
  private final TimestampSequence times;
  private final ReentrantLock lock = new ReentrantLock();
  private final ConcurrentLinkedQueue<Request> queue = new ConcurrentLinkedQueue<>();
  private final Path path;
  private final TopicFile file;

  private final Supplier<WriterId> ids;

  /** Gives null as long as lines need no signatures. */
  private final Supplier<@Nullable SignedTopics> signed;

  /** Its lines have an id of this topic's own: nobody can write under it before we do. */
  private EncodedBatch chunk;

  /** Whose lines are in the chunk that is being stored. Invariant: empty between two chunks. */
  private final List<Share> shares = new ArrayList<>();

  /** Of whoever got the lock at once: goes before the queue, and needs no place in it. */
  private @Nullable Request unqueued;

  private long seq;
  private volatile boolean open;

  /** One caller's messages and what became of them. */
  private static final class Request {
    final List<Message> messages;
    final List<Stored> stored;
    final Thread thread = Thread.currentThread();
    int taken;
    @Nullable ParleyException failure;

    /** Written last: whoever sees it sees the rest. */
    volatile boolean done;

    Request(List<Message> messages) {
      this.messages = messages;
      this.stored = new ArrayList<>(messages.size());
    }

    void finishIfStored() {
      if (stored.size() == messages.size()) {
        finish();
      }
    }

    private void finish() {
      done = true;
      wake();
    }

    /** Nothing to do for one's own: that takes long, too. */
    void wake() {
      if (!thread.equals(Thread.currentThread())) {
        LockSupport.unpark(thread);
      }
    }

    void fail(NotStoredException error) {
      if (!done) {
        failure =
            new AppendException(
                error.isUnknown() ? ParleyException.Kind.UNKNOWN : ParleyException.Kind.FAILED,
                error.trouble().code(),
                error.trouble().what(),
                error.trouble().next(),
                stored,
                error);
        finish();
      }
    }

    List<Stored> answer() {
      if (failure != null) {
        throw failure;
      }
      return stored;
    }
  }

  /**
   * Lines {@code from} to {@code to} of a chunk belong to a request.
   *
   * @param message which of its messages the first of them says
   */
  private record Share(Request request, int from, int to, int message) {}

  public TopicWriter(
      Disk disk,
      Path path,
      Topic topic,
      Limits limits,
      Supplier<WriterId> ids,
      AtomicLong numbers,
      CachedClock clock,
      Durability durability,
      Supplier<@Nullable SignedTopics> signed) {
    this.topic = topic;
    this.limits = limits;
    this.numbers = numbers;
    this.times = new TimestampSequence(clock);
    this.path = path;
    this.ids = ids;
    this.signed = signed;
    this.chunk = new EncodedBatch(topic, ids.get());
    this.file = new TopicFile(disk, path, topic, limits, durability);
  }

  public List<Stored> append(List<Message> messages) {
    for (Message message : messages) {
      EnvelopeEncoder.check(limits, topic, message);
    }
    Request request = new Request(messages);
    // An interrupt during the write would close the file under everyone: it is kept for later.
    boolean interrupted = Thread.interrupted();
    if (lock.tryLock()) {
      unqueued = request;
      storeUntilDone(request);
    } else {
      queue.add(request);
    }
    while (!request.done) {
      if (lock.tryLock()) {
        storeUntilDone(request);
      } else {
        LockSupport.park(this);
      }
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return request.answer();
  }

  /** Holds the lock on entry, and not on return. */
  private void storeUntilDone(Request request) {
    try {
      while (!request.done) {
        storeSome();
      }
    } catch (RuntimeException | Error e) {
      giveUp(e);
      throw e;
    } finally {
      open = file.isOpen();
      if (file.takeInterrupt()) {
        Thread.currentThread().interrupt();
      }
      unlock();
    }
  }

  /** Frees the lock, then wakes who waits longest: in this order, so that nobody sleeps on. */
  private void unlock() {
    lock.unlock();
    Request next = queue.peek();
    if (next != null) {
      next.wake();
    }
  }

  /** Stores as much of the queue as goes into one write. */
  private void storeSome() {
    chunk.clear(seq + 1);
    chunk.signWith(signer());
    long now = System.nanoTime();
    byte[] time = times.at(now);
    for (Request next = next(); next != null; next = next()) {
      int from = chunk.size();
      int message = next.taken;
      boolean whole = encode(next, time);
      if (chunk.size() > from) {
        shares.add(new Share(next, from, chunk.size(), message));
      }
      if (!whole) {
        break;
      }
      pass();
    }
    if (shares.isEmpty()) {
      return;
    }
    try {
      EncodedBatch last = store(time, now);
      share(null);
      if (!last.writer().equals(chunk.writer())) {
        chunk = last;
        seq = last.size();
      }
    } catch (NotStoredException e) {
      if (!e.isUnknown()) {
        seq = chunk.seq(chunk.storedCount()) - 1;
      }
      share(e);
      queue.removeIf(request -> request.failure != null);
      if (unqueued != null && unqueued.failure != null) {
        unqueued = null;
      }
    }
  }

  /**
   * Stores the chunk, and what readers pass over, because somebody wrote under our id, again under
   * a new one. Nobody can write under that before it is in the file, so a second time is rare.
   *
   * @return the chunk that was stored last: what comes next goes under its id
   */
  private EncodedBatch store(byte[] time, long now) throws NotStoredException {
    int[] passedOver = storeSigned(chunk, now);
    EncodedBatch last = chunk;
    try {
      for (int i = 1; passedOver.length > 0; i++) {
        if (i == MAX_IDS) {
          throw NotStoredException.changing(path);
        }
        last = new EncodedBatch(topic, ids.get());
        last.clear(1);
        last.signWith(signer());
        for (int line : passedOver) {
          last.add(numbers.incrementAndGet(), time, message(line));
        }
        passedOver = storeAgain(last, passedOver, now);
      }
    } catch (NotStoredException e) {
      // Lines after it may be there for readers.
      chunk.keepStored(passedOver[0]);
      throw e.isUnknown() ? e : NotStoredException.unknown(path, e);
    }
    return last;
  }

  private EnvelopeEncoder.@Nullable Signer signer() {
    SignedTopics signing = signed.get();
    return signing == null ? null : signing.signer(topic);
  }

  /** Stores a chunk; says which lines readers pass over, also because of their signatures. */
  private int[] storeSigned(EncodedBatch stored, long now) throws NotStoredException {
    int[] passedOver = file.store(stored, now);
    SignedTopics signing = signed.get();
    if (signing == null || topic.equals(KeyRing.TOPIC)) {
      return passedOver;
    }
    return IntStream.range(0, stored.size())
        .filter(line ->
            Arrays.binarySearch(passedOver, line) >= 0
                || !signing.countsStored(stored.envelope(line)))
        .toArray();
  }

  /** Stores some lines of the chunk again; says which of them readers pass over all the same. */
  private int[] storeAgain(EncodedBatch again, int[] lines, long now) throws NotStoredException {
    int[] passedOver = storeSigned(again, now);
    for (int i = 0; i < lines.length; i++) {
      chunk.storedAgain(lines[i], again, i);
    }
    return Arrays.stream(passedOver).map(i -> lines[i]).toArray();
  }

  /** What a line of the chunk says. */
  private Message message(int line) {
    for (Share share : shares) {
      if (line < share.to) {
        return share.request.messages.get(share.message + line - share.from);
      }
    }
    throw new IllegalStateException("a line of nobody's");
  }

  private @Nullable Request next() {
    return unqueued == null ? queue.peek() : unqueued;
  }

  private void pass() {
    if (unqueued == null) {
      queue.remove();
    } else {
      unqueued = null;
    }
  }

  /**
   * The line that was stored last, if it stands right after a position; null if not known, as when
   * the next is being stored.
   */
  public byte @Nullable [] lineAfter(Position position) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      boolean isLast =
          chunk.size() == 1
              && chunk.isStored()
              && chunk.byteCount() <= MOST_KEPT
              && chunk.position(0) - chunk.length(0) == position.value();
      return isLast ? Arrays.copyOfRange(chunk.array(), chunk.from(0), chunk.end(0)) : null;
    } finally {
      unlock();
    }
  }

  /** Adds a request's messages to a chunk; false if they did not all go in. */
  private boolean encode(Request request, byte[] time) {
    while (request.taken < request.messages.size()) {
      Message message = request.messages.get(request.taken);
      int before = chunk.size();
      chunk.add(numbers.incrementAndGet(), time, message);
      if (before > 0 && chunk.byteCount() > MAX_WRITE) {
        chunk.truncate(before);
        return false;
      }
      seq++;
      request.taken++;
    }
    return true;
  }

  private void share(@Nullable NotStoredException error) {
    for (Share share : shares) {
      Request request = share.request;
      chunk.stored(share.from, share.to, request.stored);
      request.finishIfStored();
      if (error != null && chunk.storedCount() < share.to) {
        request.fail(error);
      }
    }
    shares.clear();
  }

  /** No memory, or a mistake in this program: nobody may wait for an answer that will not come. */
  private void giveUp(Throwable cause) {
    NotStoredException error = NotStoredException.broken(path, cause);
    shares.forEach(share -> share.request.fail(error));
    shares.clear();
    for (Request next = next(); next != null; next = next()) {
      next.fail(error);
      pass();
    }
  }

  /** Whether the last append left the file open. */
  public boolean isOpen() {
    return open;
  }

  /** Closes the file until the next append. */
  public void release() {
    lock.lock();
    try {
      open = false;
      file.close();
    } finally {
      unlock();
    }
  }
}
