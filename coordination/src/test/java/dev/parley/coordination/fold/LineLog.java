package dev.parley.coordination.fold;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.time.BootClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A log to read that anybody may have written, and of which any prefix can be shown. */
final class LineLog implements Log {
  private static final long PROOF = 7;

  private final Map<Topic, List<Envelope>> topics = new HashMap<>();
  private final Map<Topic, Integer> shown = new HashMap<>();
  private final EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);

  void add(Topic topic, String line) {
    List<Envelope> lines = topics.computeIfAbsent(topic, name -> new ArrayList<>());
    byte[] bytes = line.getBytes(UTF_8);
    lines.add(decoder.decode(topic, bytes, 0, bytes.length, new Position(lines.size() + 1L)));
  }

  List<Envelope> lines(Topic topic) {
    return topics.getOrDefault(topic, List.of());
  }

  /** Shows only the first lines of a topic. */
  void show(Topic topic, int count) {
    shown.put(topic, count);
  }

  void showAll() {
    shown.clear();
  }

  private int size(Topic topic) {
    return shown.getOrDefault(topic, lines(topic).size());
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    int from = (int) after.position().value();
    int to = Math.min(size(topic), from + limit);
    return to <= from
        ? Batch.empty(after)
        : new Batch(lines(topic).subList(from, to), List.of(), place(to));
  }

  private static Bookmark place(int position) {
    return position == 0 ? Bookmark.START : new Bookmark(new Position(position), PROOF);
  }

  @Override
  public Bookmark end(Topic topic) {
    return place(size(topic));
  }

  @Override
  public Bookmark bookmark(Topic topic, Position position) {
    return place((int) position.value());
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<Topic> topics(Prefix under) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Doorbell doorbell(Prefix under) {
    throw new UnsupportedOperationException();
  }

  @Override
  public BootClock clock() {
    return BootClock.NONE;
  }

  @Override
  public Limits limits() {
    return Limits.DEFAULT;
  }

  @Override
  public void close() {}
}
