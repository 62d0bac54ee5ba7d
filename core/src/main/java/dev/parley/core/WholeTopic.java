package dev.parley.core;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads a topic to its end. A single read returns only a part of a long topic. */
public final class WholeTopic {
  private static final int PIECE = 512;

  private WholeTopic() {}

  /** Calls an action with every envelope of a topic, in their order. */
  public static void forEach(Log log, Topic topic, Consumer<? super Envelope> action) {
    for (Batch batch : batches(log, topic, Bookmark.START)) {
      batch.envelopes().forEach(action);
    }
  }

  /** All envelopes of a topic. */
  public static List<Envelope> of(Log log, Topic topic) {
    List<Envelope> envelopes = new ArrayList<>();
    forEach(log, topic, envelopes::add);
    return envelopes;
  }

  /** The batches from a place to the end of a topic. Each is read when it is asked for. */
  public static Iterable<Batch> batches(Log log, Topic topic, Bookmark from) {
    return batches(place -> log.read(topic, place, PIECE), from);
  }

  /**
   * The same for another way to read.
   *
   * @param read returns what comes after a place
   */
  public static Iterable<Batch> batches(Function<Bookmark, Batch> read, Bookmark from) {
    return () -> new Batches(read, from);
  }

  /** Ends after the batch that makes no progress. */
  private static final class Batches implements Iterator<Batch> {
    private final Function<Bookmark, Batch> read;
    private Bookmark place;
    private boolean ended;

    Batches(Function<Bookmark, Batch> read, Bookmark from) {
      this.read = read;
      this.place = from;
    }

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public Batch next() {
      if (ended) {
        throw new NoSuchElementException();
      }
      Batch batch = read.apply(place);
      ended = batch.next().equals(place);
      place = batch.next();
      return batch;
    }
  }
}
