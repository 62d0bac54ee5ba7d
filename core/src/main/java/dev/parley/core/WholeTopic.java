package dev.parley.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a topic from its beginning to its end. A single read returns only a part of a long topic.
 */
public final class WholeTopic {
  private static final int PIECE = 512;

  private WholeTopic() {}

  /** Calls an action with every envelope of a topic, in their order. */
  public static void forEach(Log log, Topic topic, Consumer<? super Envelope> action) {
    Bookmark from = Bookmark.START;
    Batch batch = log.read(topic, from, PIECE);
    while (!batch.next().equals(from)) {
      batch.envelopes().forEach(action);
      from = batch.next();
      batch = log.read(topic, from, PIECE);
    }
  }

  /** All envelopes of a topic. */
  public static List<Envelope> of(Log log, Topic topic) {
    List<Envelope> envelopes = new ArrayList<>();
    forEach(log, topic, envelopes::add);
    return envelopes;
  }
}
