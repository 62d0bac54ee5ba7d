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
 * <p>Group commit: threads queue their messages; the thread that gets the lock stores the whole
 * queue with one write and one sync. A thread that gets the lock at once skips the queue. The other
 * threads sleep until their messages are stored or the lock is free. They do not take the lock to
 * learn that they are done: that would spread them out, and the next batch would be smaller.
 * Invariant: under the lock, {@code seq} is the seq of the last line that was stored or may have
 * been.
 */
public final class TopicWriter {
  /** The largest write in bytes, unless a single line is longer. */
  static final int MAX_WRITE = 256 * 1024;

  /** How many writer ids are tried for the same lines. */
  private static final int MAX_IDS = 16;

  /** A longer line is not kept for {@link #lineAfter}; readers read it from the file. */
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

  /** Supplies null while lines need no signatures. */
  private final Supplier<@Nullable SignedTopics> signed;

  /**
   * Its writer id is new and used in this topic only, so nobody can write under it before we do.
   */
  private EncodedBatch batch;

  /** The requests whose lines are in the present batch. Invariant: empty between two batches. */
  private final List<Share> shares = new ArrayList<>();

  /** The request of a thread that got the lock at once; it is stored before the queue. */
  private @Nullable Request unqueued;

  private long seq;
  private volatile boolean open;

  /** The messages of one caller, and their answers. */
  private static final class Request {
    final List<Message> messages;
    final List<Stored> stored;
    final Thread thread = Thread.currentThread();
    int taken;
    @Nullable ParleyException failure;

    /** Written last: a thread that sees true also sees the other fields. */
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

    /** Skipped for the current thread, because unpark costs time. */
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
   * Lines {@code from} to {@code to} of a batch belong to a request.
   *
   * @param message the index of the request's message in the first of these lines
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
    this.batch = new EncodedBatch(topic, ids.get());
    this.file = new TopicFile(disk, path, topic, limits, durability);
  }

  public List<Stored> append(List<Message> messages) {
    for (Message message : messages) {
      EnvelopeEncoder.check(limits, topic, message);
    }
    Request request = new Request(messages);
    // An interrupt during the write would close the file for all threads, so the flag is restored
    // later.
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

  /** Called with the lock held; releases it. */
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

  /**
   * Releases the lock, then wakes the first thread in the queue. In the other order that thread
   * could find the lock taken and sleep on.
   */
  private void unlock() {
    lock.unlock();
    Request next = queue.peek();
    if (next != null) {
      next.wake();
    }
  }

  /** Stores as much of the queue as fits into one write. */
  private void storeSome() {
    batch.clear(seq + 1);
    batch.signWith(signer());
    long now = System.nanoTime();
    byte[] time = times.at(now);
    for (Request next = next(); next != null; next = next()) {
      int from = batch.size();
      int message = next.taken;
      boolean whole = encode(next, time);
      if (batch.size() > from) {
        shares.add(new Share(next, from, batch.size(), message));
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
      if (!last.writer().equals(batch.writer())) {
        batch = last;
        seq = last.size();
      }
    } catch (NotStoredException e) {
      if (!e.isUnknown()) {
        seq = batch.seq(batch.storedCount()) - 1;
      }
      share(e);
      queue.removeIf(request -> request.failure != null);
      if (unqueued != null && unqueued.failure != null) {
        unqueued = null;
      }
    }
  }

  /**
   * Stores the batch. Lines that readers pass over, because another program wrote under our id, are
   * stored again under a new id. Nobody knows that id before it is in the file, so a further
   * repetition is rare.
   *
   * @return the batch that was stored last; its writer id is used from now on
   */
  private EncodedBatch store(byte[] time, long now) throws NotStoredException {
    int[] passedOver = storeSigned(batch, now);
    EncodedBatch last = batch;
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
      // Later lines may be visible to readers.
      batch.keepStored(passedOver[0]);
      throw e.isUnknown() ? e : NotStoredException.unknown(path, e);
    }
    return last;
  }

  private EnvelopeEncoder.@Nullable Signer signer() {
    SignedTopics signing = signed.get();
    return signing == null ? null : signing.signer(topic);
  }

  /** Stores a batch. Returns the lines that readers pass over, for their id or their signature. */
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

  /** Stores some lines of the batch again. Returns those that readers pass over nevertheless. */
  private int[] storeAgain(EncodedBatch again, int[] lines, long now) throws NotStoredException {
    int[] passedOver = storeSigned(again, now);
    for (int i = 0; i < lines.length; i++) {
      batch.storedAgain(lines[i], again, i);
    }
    return Arrays.stream(passedOver).map(i -> lines[i]).toArray();
  }

  /** The message in a line of the batch. */
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
   * The line that was stored last, if it begins at a position. Null if it does not, or if another
   * append is running.
   */
  public byte @Nullable [] lineAfter(Position position) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      boolean isLast =
          batch.size() == 1
              && batch.isStored()
              && batch.byteCount() <= MOST_KEPT
              && batch.position(0) - batch.length(0) == position.value();
      return isLast ? Arrays.copyOfRange(batch.array(), batch.from(0), batch.end(0)) : null;
    } finally {
      unlock();
    }
  }

  /** Adds a request's messages to the batch; false if some did not fit. */
  private boolean encode(Request request, byte[] time) {
    while (request.taken < request.messages.size()) {
      Message message = request.messages.get(request.taken);
      int before = batch.size();
      batch.add(numbers.incrementAndGet(), time, message);
      if (before > 0 && batch.byteCount() > MAX_WRITE) {
        batch.truncate(before);
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
      batch.stored(share.from, share.to, request.stored);
      request.finishIfStored();
      if (error != null && batch.storedCount() < share.to) {
        request.fail(error);
      }
    }
    shares.clear();
  }

  /**
   * Fails all requests after an unexpected error (out of memory, a bug), so that no thread waits
   * for ever.
   */
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
