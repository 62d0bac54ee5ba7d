package dev.parley.core;

import java.util.List;
import java.util.Set;

/**
 * Stores topics: append, read from a place, be told of news. Nothing else.
 *
 * <p>All methods may be called by any thread at any time. Conditions ("only if nobody has it") are
 * no business of a log: whoever needs to decide appends a request, and the order decides.
 */
public interface Log extends AutoCloseable {
  /**
   * Appends messages to one topic, in order and with nothing of the same writer between them.
   * Blocks until they are stored. One message is stored whole or not at all; after an exception a
   * prefix of several may be stored, and stays.
   *
   * @return one answer a message, in their order
   * @throws ParleyException INVALID, before anything is written, if a message breaks a limit
   * @throws AppendException if not all were stored, or that can't be told
   */
  List<Stored> append(Topic topic, List<Message> messages);

  /** The same for one message: most come alone. */
  default Stored append(Topic topic, Message message) {
    return append(topic, List.of(message)).getFirst();
  }

  /**
   * Reads what is there now, at most {@code limit} envelopes, and never blocks. Lines that are not
   * envelopes are reported in the batch. A topic that does not exist is empty.
   *
   * @throws LostPlaceException if the bookmark is not of this topic as it is now
   */
  Batch read(Topic topic, Bookmark after, int limit);

  /** Where the topic ends now: what is appended later is read from here. */
  Bookmark end(Topic topic);

  /**
   * The place after the envelope that ends at {@code position}, with its proof.
   *
   * @throws LostPlaceException if nothing ends there
   */
  Bookmark bookmark(Topic topic, Position position);

  /** The topics that have been written to. */
  Set<Topic> topics(Prefix under);

  /** A doorbell for what is appended from now on. */
  Doorbell doorbell(Prefix under);

  /** What is written into lines that {@linkplain Message#withClock ask} for it. */
  BootClock clock();

  /** What everybody who uses this log keeps to. */
  Limits limits();

  /** Ends all waits and refuses further use. What was acknowledged stays. */
  @Override
  void close();
}
