package dev.parley.core;

import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A third log, written from the contract of {@link Log} alone. Several logs are opened on one
 * server, which has the topics and sets the timestamps by a clock of its own.
 */
final class ServerLog implements Log {
  /** How far the server's clock is ahead of ours. */
  static final Duration AHEAD = Duration.ofSeconds(40);

  private final Server server;
  private final WriterId writer = WriterId.random();
  private final Map<Topic, Long> counts = new HashMap<>();
  private final LocalDoorbell.DoorbellRegistry bells = new LocalDoorbell.DoorbellRegistry();
  private final BootClock bootClock = BootClock.ofProcess();
  private long number;
  private boolean losesAnswer;
  private volatile boolean closed;

  private ServerLog(Server server) {
    this.server = server;
  }

  /** What is there however often a log is opened and closed. Guards itself and its logs. */
  static final class Server {
    private final TreeMap<Topic, List<byte[]>> topics = new TreeMap<>();
    private final List<ServerLog> open = new CopyOnWriteArrayList<>();

    synchronized ServerLog open() {
      ServerLog log = new ServerLog(this);
      open.add(log);
      return log;
    }

    /** Stores the last line of a topic again, as a log does that sends a request twice. */
    synchronized void repeatLast(Topic topic) {
      List<byte[]> lines = Objects.requireNonNull(topics.get(topic));
      lines.add(lines.getLast());
    }

    private void ring(Topic topic) {
      open.forEach(log -> log.bells.ring(topic));
    }

    private List<byte[]> lines(Topic topic) {
      return topics.getOrDefault(topic, List.of());
    }
  }

  /** Has the next append stored, but its answer lost. */
  void loseNextAnswer() {
    losesAnswer = true;
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    checkOpen();
    messages.forEach(message -> EnvelopeEncoder.check(limits(), topic, message));
    List<Stored> stored = new ArrayList<>();
    synchronized (server) {
      for (Message message : messages) {
        stored.add(append(topic, message, Instant.now().plus(AHEAD)));
      }
    }
    server.ring(topic);
    if (losesAnswer) {
      losesAnswer = false;
      throw new AppendException(
          ParleyException.Kind.UNKNOWN, "no-answer", "No answer.", "Look.", List.of(), null);
    }
    return stored;
  }

  private Stored append(Topic topic, Message message, Instant time) {
    number++;
    long seq = counts.merge(topic, 1L, Long::sum);
    JsonBytes line = new JsonBytes(256);
    new EnvelopeEncoder(writer, topic)
        .encode(
            line,
            number,
            seq,
            Timestamps.ascii(time),
            message.isClocked() ? bootClock.now() : null,
            message);
    List<byte[]> lines = server.topics.computeIfAbsent(topic, _ -> new ArrayList<>());
    lines.add(line.toArray());
    return new Stored(topic, writer, number, seq, new Position(lines.size()), 1);
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    checkOpen();
    synchronized (server) {
      List<byte[]> lines = server.lines(topic);
      checkPlace(topic, after, lines.size());
      List<Envelope> found = new ArrayList<>();
      int at = (int) after.position().value();
      for (; at < lines.size() && found.size() < limit; at++) {
        byte[] line = lines.get(at);
        found.add(
            new EnvelopeDecoder(limits())
                .decode(topic, line, 0, line.length, new Position(at + 1)));
      }
      return new Batch(found, List.of(), found.isEmpty() ? after : place(at));
    }
  }

  @Override
  public Bookmark end(Topic topic) {
    checkOpen();
    synchronized (server) {
      return place(server.lines(topic).size());
    }
  }

  @Override
  public Bookmark bookmark(Topic topic, Position position) {
    checkOpen();
    synchronized (server) {
      checkPlace(topic, Bookmark.at(position), server.lines(topic).size());
      return place(position.value());
    }
  }

  /** The proof of a place is the server: what is in it never changes. */
  private Bookmark place(long count) {
    return count == 0 ? Bookmark.START : new Bookmark(new Position(count), proof());
  }

  private long proof() {
    return System.identityHashCode(server) | 1L << 40;
  }

  private void checkPlace(Topic topic, Bookmark place, int size) {
    if (place.position().value() > size || (place.proof() != 0 && place.proof() != proof())) {
      throw new LostPlaceException(topic, place.position(), LostPlaceException.Problem.OTHER_LOG);
    }
  }

  @Override
  public Set<Topic> topics(Prefix under) {
    checkOpen();
    synchronized (server) {
      Set<Topic> found = new TreeSet<>(server.topics.keySet());
      found.removeIf(topic -> !under.covers(topic));
      return found;
    }
  }

  @Override
  public Doorbell doorbell(Prefix under) {
    checkOpen();
    return bells.add(under);
  }

  @Override
  public BootClock clock() {
    return bootClock;
  }

  @Override
  public Limits limits() {
    return Limits.DEFAULT;
  }

  private void checkOpen() {
    if (closed) {
      throw ParleyException.closed("log");
    }
  }

  @Override
  public void close() {
    closed = true;
    server.open.remove(this);
    bells.closeAll();
  }
}
