package dev.parley.core.keys;

import dev.parley.core.Envelope;
import dev.parley.core.Topic;
import org.jspecify.annotations.Nullable;

/**
 * What a log asks about signatures: to sign what it writes, and whether to believe what it reads.
 *
 * <p>May be called by any thread. A log calls {@link #prepare} without holding locks, and {@link
 * #sign} while it holds the topic's.
 */
public interface SignaturePolicy {
  /**
   * Makes sure that lines of this sender can be signed.
   *
   * @throws dev.parley.core.ParleyException REFUSED if this program has no key for the sender
   */
  void prepare(String sender);

  /**
   * The signature of a line.
   *
   * @param incarnation the id of the topic's first line; empty if there is none yet
   * @param place the size of the topic just before
   * @param line what was encoded of it so far is {@code line[from..to)}
   */
  String sign(
      String sender, Topic topic, String incarnation, long place, byte[] line, int from, int to);

  /** Why a line does not count; null if it does. */
  @Nullable Rejection check(Envelope line, String incarnation);

  /** Why a line does not count. */
  enum Rejection {
    UNSIGNED("it is not signed"),
    UNKNOWN_KEY("no key is bound to its sender"),
    STALE("it was signed for an earlier place: it may be a copy"),
    FORGED("its signature does not fit: it was changed, or written by somebody else");

    private final String words;

    Rejection(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }
}
