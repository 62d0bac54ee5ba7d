package dev.parley.core;

import java.util.ArrayList;
import java.util.List;

/** All envelopes of a topic: one read gives only a part of a long one. */
public final class WholeTopic {
  private static final int PIECE = 10_000;

  private WholeTopic() {}

  public static List<Envelope> of(Log log, Topic topic) {
    List<Envelope> envelopes = new ArrayList<>();
    Bookmark from = Bookmark.START;
    Batch batch = log.read(topic, from, PIECE);
    while (!batch.next().equals(from)) {
      envelopes.addAll(batch.envelopes());
      from = batch.next();
      batch = log.read(topic, from, PIECE);
    }
    return envelopes;
  }
}
