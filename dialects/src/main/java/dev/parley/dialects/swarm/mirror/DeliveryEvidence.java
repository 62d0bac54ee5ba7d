package dev.parley.dialects.swarm.mirror;

import dev.parley.dialects.sync.MirrorState;
import dev.parley.dialects.sync.SyncPass;
import java.util.List;
import java.util.Map;

/**
 * What was seen of each sender: whether it puts its messages into inboxes itself, as the design's
 * programs do, or leaves that to others. And which entries of outboxes were decided without such
 * evidence, until they leave the outbox.
 *
 * <pre>
 * observed about an entry that a program dated    its sender
 * ----------------------------------------------  ---------------------
 * the entry is in the recipient's inbox           writes inboxes
 * the inbox was not written since the entry       does not write inboxes
 * </pre>
 *
 * <p>It is noted with the mount ({@link MirrorState#told}), so that later processes know it.
 */
final class DeliveryEvidence {
  private static final String SENDER = "swarm-sender:";
  private static final String GUESS = "swarm-guess:";
  private static final String WRITES = "writes";
  private static final String LEAVES = "leaves";
  private static final String BOTH = "both";

  /** Taken for read, although it may never have been in its recipient's inbox. */
  static final String READ = "read";

  /** Put into the inbox, although its recipient may have had it before. */
  static final String SENT = "sent";

  private final SyncPass pass;

  DeliveryEvidence(SyncPass pass) {
    this.pass = pass;
  }

  void sawWriting(String sender) {
    add(sender, WRITES);
  }

  void sawLeaving(String sender) {
    add(sender, LEAVES);
  }

  private void add(String sender, String habit) {
    String known = pass.told(SENDER + sender);
    pass.tell(SENDER + sender, known == null || known.equals(habit) ? habit : BOTH);
  }

  /** Whether a sender was only ever seen to write inboxes itself. */
  boolean writes(String sender) {
    return WRITES.equals(pass.told(SENDER + sender));
  }

  /** Whether a sender was only ever seen to leave inboxes to others. */
  boolean leaves(String sender) {
    return LEAVES.equals(pass.told(SENDER + sender));
  }

  /**
   * Notes a decision about an entry that was made without evidence.
   *
   * @param agents the recipients that it concerns
   */
  void guess(String mark, String guess, List<String> agents) {
    pass.tell(GUESS + mark, guess + " " + String.join(" ", agents));
  }

  /** Removes the note: the entry is no longer in doubt, or has left the outbox. */
  void forget(String mark) {
    pass.tell(GUESS + mark, null);
  }

  /** The recipients that were assumed, without evidence, to have read an entry. */
  List<String> perhapsUnread(String mark) {
    String guess = pass.told(GUESS + mark);
    return guess == null ? List.of() : agents(guess, READ);
  }

  /** The recipients of a noted decision of this kind; empty if it is of another kind. */
  static List<String> agents(String guess, String kind) {
    List<String> words = List.of(guess.split(" ", -1));
    return words.getFirst().equals(kind) ? words.subList(1, words.size()) : List.of();
  }

  /** The decisions made without evidence about entries still in outboxes, by mark. */
  static Map<String, String> guesses(MirrorState state) {
    return state.toldOf(GUESS);
  }
}
