package dev.parley.core;

import dev.parley.core.time.BootClock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Forwards every call to another log; tests override single methods. */
public class ForwardingLog implements Log {
  private final Log log;

  public ForwardingLog(Log log) {
    this.log = log;
  }

  @Override
  public List<Stored> append(Topic topic, List<Message> messages) {
    return log.append(topic, messages);
  }

  @Override
  public Batch read(Topic topic, Bookmark after, int limit) {
    return log.read(topic, after, limit);
  }

  @Override
  public Bookmark end(Topic topic) {
    return log.end(topic);
  }

  @Override
  public Bookmark bookmark(Topic topic, Position position) {
    return log.bookmark(topic, position);
  }

  @Override
  public Optional<Envelope> find(String id) {
    return log.find(id);
  }

  @Override
  public Set<Topic> topics(Prefix under) {
    return log.topics(under);
  }

  @Override
  public Doorbell doorbell(Prefix under) {
    return log.doorbell(under);
  }

  @Override
  public BootClock clock() {
    return log.clock();
  }

  @Override
  public Limits limits() {
    return log.limits();
  }

  @Override
  public void close() {
    log.close();
  }
}
