package dev.parley.filelog;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.keys.PublicKey;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.CachedClock;
import dev.parley.core.writer.WriterId;
import dev.parley.core.writer.WriterKey;
import dev.parley.filelog.append.TopicWriter;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.RealDisk;
import dev.parley.filelog.keys.BusSignatures;
import dev.parley.filelog.keys.KeyFolder;
import dev.parley.filelog.keys.SignedTopics;
import dev.parley.filelog.read.TopicReader;
import dev.parley.filelog.watch.FolderWatcher;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each topic in a file {@code <folder>/<topic>.jsonl} that any number of processes append to
 * and read at once. A position is an offset in bytes.
 *
 * <p>Files are opened on first use. {@link ResourceLimits} says how many stay open.
 */
public final class FileLog implements Log {
  /** The longest time until a running process notices that signatures became required. */
  public static final Duration KEYS_LOOKED_FOR = Duration.ofMillis(200);

  private static final String SUFFIX = ".jsonl";

  private final Path folder;
  private final Limits limits;
  private final PollingInterval polling;
  private final Durability durability;
  private final ResourceLimits resources;
  private final CachedClock clock = new CachedClock();
  private final Disk disk;
  private final Runnable beforeAppends;
  private final AtomicLong numbers = new AtomicLong();

  /** The number of topics opened for appending since all were last closed. */
  private final AtomicInteger opened = new AtomicInteger();

  private final ConcurrentMap<Topic, TopicWriter> writers = new ConcurrentHashMap<>();
  private final ConcurrentMap<Topic, TopicReader> readers = new ConcurrentHashMap<>();
  private final LocalDoorbell.DoorbellRegistry bells = new LocalDoorbell.DoorbellRegistry();
  private volatile @Nullable FolderWatcher watcher;
  private volatile boolean closed;

  private volatile @Nullable WriterKey key;

  /** Null while the bus requires no signatures. */
  private volatile @Nullable SignedTopics signed;

  private Supplier<@Nullable PublicKey> owner = () -> null;
  private @Nullable KeyFolder keys;
  private volatile long nextLookForKeys = System.nanoTime();

  /** True for a bus that is not ours: appends are refused. */
  private volatile boolean onlyRead;

  public FileLog(Path folder, Limits limits, PollingInterval polling) {
    this(folder, limits, polling, Durability.OS);
  }

  public FileLog(Path folder, Limits limits, PollingInterval polling, Durability durability) {
    this(folder, limits, polling, durability, ResourceLimits.DEFAULT);
  }

  public FileLog(
      Path folder,
      Limits limits,
      PollingInterval polling,
      Durability durability,
      ResourceLimits resources) {
    this(folder, limits, polling, durability, resources, new RealDisk(), () -> {});
  }

  public FileLog(
      Path folder, Limits limits, PollingInterval polling, Durability durability, Disk disk) {
    this(folder, limits, polling, durability, ResourceLimits.DEFAULT, disk, () -> {});
  }

  /**
   * @param beforeAppends run before the first append to each topic
   */
  FileLog(
      Path folder,
      Limits limits,
      PollingInterval polling,
      Durability durability,
      ResourceLimits resources,
      Disk disk,
      Runnable beforeAppends) {
    this.beforeAppends = beforeAppends;
    this.durability = durability;
    this.resources = resources;
    this.folder = folder;
    this.limits = limits;
    this.polling = polling;
    this.disk = disk;
  }

  /** The same log, which refuses to append from now on. */
  FileLog onlyRead() {
    onlyRead = true;
    return this;
  }

  /** Makes new writer ids with a key. A topic that was already appended to keeps its writer id. */
  public FileLog writeWith(WriterKey other) {
    key = other;
    return this;
  }

  /**
   * Signs and checks lines as soon as the bus requires it. The requirement is checked five times a
   * second.
   *
   * @param owner supplies the key of the bus's owner; null while no signatures are required
   */
  FileLog signFor(Supplier<@Nullable PublicKey> owner, KeyFolder keys) {
    this.owner = owner;
    this.keys = keys;
    return this;
  }

  /** Signs and checks the lines of this log; null while the bus requires no signatures. */
  public @Nullable BusSignatures signatures() {
    SignedTopics now = signed();
    return now == null ? null : now.signatures();
  }

  private @Nullable SignedTopics signed() {
    SignedTopics now = signed;
    if (now == null && keys != null && System.nanoTime() - nextLookForKeys >= 0) {
      return lookForKeys(keys);
    }
    return now;
  }

  /** Begins to sign and check at once, even before the topic {@code keys} exists. */
  public synchronized BusSignatures signNow(PublicKey known, KeyFolder folder) {
    SignedTopics now = new SignedTopics(this, new BusSignatures(this, folder, known));
    signed = now;
    return now.signatures();
  }

  /**
   * The topic {@code keys} exists before signatures are required, so checking for its file is
   * usually enough.
   */
  private synchronized @Nullable SignedTopics lookForKeys(KeyFolder folder) {
    if (signed == null && Files.exists(file(KeyRing.TOPIC))) {
      PublicKey known = owner.get();
      if (known != null) {
        var _ = signNow(known, folder);
      }
    }
    nextLookForKeys = System.nanoTime() + KEYS_LOOKED_FOR.toNanos();
    return signed;
  }

  public Path file(Topic topic) {
    return folder.resolve(topic.name() + SUFFIX);
  }

  /** The topic in a file of a bus folder; empty if the file is not named like a topic. */
  public static Optional<Topic> topic(Path file) {
    return topic(String.valueOf(file.getFileName()));
  }

  /** The topic in a file of this name. */
  public static Optional<Topic> topic(String name) {
    if (!name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    String topic = name.substring(0, name.length() - SUFFIX.length());
    return Topic.isValid(topic) ? Optional.of(new Topic(topic)) : Optional.empty();
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    checkOpen();
    if (messages.isEmpty()) {
      return List.of();
    }
    if (onlyRead) {
      throw BusFolder.notTrusted(folder);
    }
    SignedTopics signing = signed();
    if (signing != null) {
      signing.prepare(topic, messages);
    }
    TopicWriter topicWriter = writers.get(topic);
    if (topicWriter == null) {
      topicWriter = writers.computeIfAbsent(topic, this::newWriter);
    }
    if (!topicWriter.isOpen() && opened.incrementAndGet() > resources.appended()) {
      opened.set(1);
      writers.values().forEach(TopicWriter::release);
    }
    List<Stored> stored = topicWriter.append(messages);
    bells.ring(topic);
    FolderWatcher watching = watcher;
    if (watching != null) {
      watching.appended(topic);
    }
    return stored;
  }

  private TopicWriter newWriter(Topic topic) {
    beforeAppends.run();
    return new TopicWriter(
        disk, file(topic), topic, limits, this::newId, numbers, clock, durability, () -> signed);
  }

  private WriterId newId() {
    WriterKey with = key;
    return with == null ? WriterId.random() : with.next();
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    Batch own = limit == 1 ? readBack(topic, after) : null;
    if (own != null) {
      return own;
    }
    SignedTopics signing = signed();
    Batch batch = readUnchecked(topic, after, limit);
    return signing == null ? batch : signing.checked(topic, batch);
  }

  /** As {@link #read}, without checking signatures. */
  public Batch readUnchecked(Topic topic, Bookmark after, int limit) {
    return reading(topic, reader -> reader.read(after, limit));
  }

  /**
   * The line that this process has just appended, if it is the next to be read. This saves a read
   * of the file.
   */
  private @Nullable Batch readBack(Topic topic, Bookmark after) {
    checkOpen();
    TopicWriter topicWriter = writers.get(topic);
    byte[] line = topicWriter == null ? null : topicWriter.lineAfter(after.position());
    return line == null ? null : reader(topic).readBack(after, line);
  }

  @Override
  public Bookmark end(Topic topic) {
    return reading(topic, TopicReader::end);
  }

  @Override
  public Bookmark bookmark(Topic topic, Position position) {
    return reading(topic, reader -> reader.bookmark(position));
  }

  private interface Reading<T> {
    T with(TopicReader reader) throws IOException;
  }

  private <T> T reading(Topic topic, Reading<T> action) {
    checkOpen();
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return action.with(reader(topic));
        } catch (ClosedByInterruptException e) {
          // The flag may be gone by now: the interrupt sets it before it closes the file.
          interrupted |= Thread.interrupted();
        }
      }
    } catch (IOException e) {
      throw IoErrors.reading(file(topic), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private TopicReader reader(Topic topic) {
    TopicReader reader = readers.get(topic);
    if (reader == null) {
      if (readers.size() >= resources.read()) {
        closeReaders();
      }
      reader = readers.computeIfAbsent(topic, this::newReader);
    }
    return reader;
  }

  private TopicReader newReader(Topic topic) {
    return new TopicReader(disk, file(topic), topic, limits);
  }

  private void closeReaders() {
    // A reader in use closes its file when it is returned.
    readers
        .values()
        .removeIf(reader -> {
          reader.close();
          return true;
        });
  }

  @Override
  public Set<Topic> topics(Prefix under) {
    return new TreeSet<>(list(under));
  }

  private List<Topic> list(Prefix under) {
    checkOpen();
    List<Topic> topics = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        topic(file).filter(under::covers).ifPresent(topics::add);
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw IoErrors.reading(folder.resolve("*"), new IOException(e));
    } catch (IOException e) {
      throw IoErrors.reading(folder.resolve("*"), e);
    }
    return topics;
  }

  /** Searches for the bytes of the id and decodes only lines that contain them. */
  @Override
  public Optional<Envelope> find(String id) {
    SignedTopics signing = signed();
    return list(Prefix.ALL).stream()
        .flatMap(topic -> reading(topic, reader -> reader.find(id)).stream())
        .filter(found -> signing == null || signing.counts(found))
        .findFirst();
  }

  /** The present size of a topic's file, in bytes. */
  public long size(Topic topic) {
    try {
      Disk.FileState state = disk.state(file(topic));
      return state == null ? 0 : state.size();
    } catch (IOException e) {
      throw IoErrors.reading(file(topic), e);
    }
  }

  /** The present sizes of topic files, in bytes. */
  public Map<Topic, Long> sizes(Prefix under) {
    Map<Topic, Long> sizes = new HashMap<>();
    if (!closed) {
      for (Topic topic : list(under)) {
        try {
          Disk.FileState state = disk.state(file(topic));
          if (state != null) {
            sizes.put(topic, state.size());
          }
        } catch (IOException e) {
          throw IoErrors.reading(file(topic), e);
        }
      }
    }
    return sizes;
  }

  @Override
  public Doorbell doorbell(Prefix under) {
    checkOpen();
    return watcher().add(under);
  }

  @Override
  public BootClock clock() {
    return BootClock.system();
  }

  @Override
  public Limits limits() {
    return limits;
  }

  /** How changes by other processes are detected, in words. */
  public String wayOfWaking() {
    return watcher().way();
  }

  private FolderWatcher watcher() {
    synchronized (bells) {
      FolderWatcher found = watcher;
      if (found == null) {
        found = new FolderWatcher(this, folder, bells, polling);
        watcher = found;
      }
      return found;
    }
  }

  private void checkOpen() {
    if (closed) {
      throw ParleyException.closed("log");
    }
  }

  @Override
  public void close() {
    closed = true;
    bells.closeAll();
    synchronized (bells) {
      FolderWatcher watching = watcher;
      if (watching != null) {
        watching.close();
      }
    }
    writers.values().forEach(TopicWriter::release);
    closeReaders();
  }
}
