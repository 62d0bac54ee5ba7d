package dev.parley.core;

import dev.parley.core.bus.Feed;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.time.BootClock;
import dev.parley.core.writer.WriterId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores topics: append, read from a place, be told of news. Nothing else.
 *
 * <p>All methods may be called by any thread at any time. Conditions ("only if nobody has it") are
 * no business of a log: whoever needs to decide appends a request, and the order decides.
 *
 * <p>This is the whole contract; {@code LogContract} in the tests proves it of any log. A log turns
 * messages into lines with {@link EnvelopeEncoder}, after {@link EnvelopeEncoder#check}, and lines
 * into envelopes with {@link EnvelopeDecoder}. {@link LocalDoorbell.DoorbellRegistry} has doorbells
 * for it. {@code ServerLog} in the tests is a log of 150 lines.
 *
 * <ul>
 *   <li><b>Order.</b> All readers see the envelopes of a topic in the same order, at positions that
 *       only grow. An envelope never changes, and none is put between two others.
 *   <li><b>Writers.</b> Several logs, in several processes, may be opened on the same topics. Each
 *       is a writer of its own: its ids begin with its {@link WriterId}, and its {@code seq} counts
 *       each topic from 1. Nothing that one appends hides, changes or reorders what another does.
 *   <li><b>Reopening.</b> Where topics outlast the process, a log that is opened again has the same
 *       envelopes at the same positions, and bookmarks of before are good.
 *   <li><b>Stored.</b> When {@link #append} returns, the messages are in the log: every read that
 *       begins after that finds them, at the positions that were answered.
 *   <li><b>Unknown.</b> An append that fails says what is known. FAILED: the messages after those
 *       named are not in the log and never will be. UNKNOWN: they may be, once. A log never tries
 *       again by itself what may be there. An interrupt of the calling thread changes none of this:
 *       the append goes on, or fails and says what is known.
 *   <li><b>Repeats.</b> A log that learns that it stored a line twice leaves both: the same id and
 *       seq, at two positions. Readers pass over the second ({@link Feed}), and {@link #find} finds
 *       the first. Storing a message again after an UNKNOWN outcome is a new line with a new id:
 *       what must count once has a key.
 *   <li><b>Time.</b> The timestamp of a line is set where the line is stored, which may be a
 *       server: it is near the caller's time, not equal to it. All readers see the same one.
 *       Nothing is ordered by it. What the caller's clocks said is in the line if the message asks
 *       for it.
 *   <li><b>News.</b> See {@link Doorbell}, also for what a near one promises.
 * </ul>
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

  /** The same for one message, the usual case. */
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

  /**
   * The envelope with this id, or at this place ({@code topic@position}), in whichever topic it is.
   * A log that has an index, or can search faster, overrides this.
   */
  default Optional<Envelope> find(String id) {
    for (Topic topic : topics(Prefix.ALL)) {
      List<Envelope> found = new ArrayList<>(1);
      WholeTopic.forEach(
          this,
          topic,
          envelope -> {
            if (envelope.id().equals(id) || envelope.position().in(topic).equals(id)) {
              found.add(envelope);
            }
          });
      if (!found.isEmpty()) {
        return Optional.of(found.getFirst());
      }
    }
    return Optional.empty();
  }

  /**
   * The first envelope after the one that ends at {@code position}, or after the beginning.
   *
   * @throws LostPlaceException if nothing ends there
   */
  default Optional<Envelope> next(Topic topic, Position position) {
    return read(topic, bookmark(topic, position), 1).envelopes().stream().findFirst();
  }

  /** The topics that have been written to. */
  Set<Topic> topics(Prefix under);

  /** A doorbell for what is appended from now on. */
  Doorbell doorbell(Prefix under);

  /** The clock that is written into lines that {@linkplain Message#withClock ask} for it. */
  BootClock clock();

  /** The limits that all users of this log keep to. */
  Limits limits();

  /**
   * Ends all waits at its doorbells, now and from now on, and refuses further use with the code
   * {@code closed}. What was acknowledged stays. Closing twice does no harm.
   */
  @Override
  void close();
}
