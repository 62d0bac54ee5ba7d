package dev.parley.dialects.swarm.mirror;

import dev.parley.core.time.Timestamps;
import dev.parley.dialects.swarm.MessageIds;
import dev.parley.dialects.swarm.SwarmMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells entries of outboxes that are to be delivered from those that were.
 *
 * <p>The design's programs put a message into the sender's outbox and at once into the recipient's
 * inbox; agents that write by hand put it into their outbox alone. Both entries look alike, and the
 * copy in the inbox disappears as soon as its recipient has read it. So:
 *
 * <pre>
 * the entry                              the inbox                         its state
 * -------------------------------------  --------------------------------  ---------------
 * any                                    contains it                       THERE
 * any, at the first pass over a folder   lacks it                          READ
 * dated by a program, less than          lacks it                          UNCLEAR
 *   {@link #SENDING} old
 * dated by a program, older              not written since                 UNSENT
 *   its sender writes inboxes            written since                     READ
 *   its sender does not                  written since                     UNSENT
 *   unknown, made while we watched       written since                     PERHAPS_UNSENT
 *   unknown, made before                 written since                     PERHAPS_READ
 * any other                              lacks it                          UNSENT
 * </pre>
 *
 * <p>Dated by a program: the time is plausible (not before the last pass over the outbox, not in
 * the future) and has a fraction of a second, and the id is no placeholder or the fraction is not
 * {@code .000}. A model that makes up a date has neither.
 *
 * <p>{@link DeliveryEvidence} remembers whether a sender writes inboxes. For an unknown sender the
 * files cannot tell: perhaps others wrote the inbox; perhaps the sender did, and the recipient read
 * and removed the message between two passes. While a bridge watches, an entry that was never seen
 * in the inbox was probably never there, and losing a message is worse than delivering it twice.
 * Both guesses are reported.
 */
final class OutboxEntryRules {
  /** How long a program may take between outbox and inbox: twice its patience with a lock. */
  static final Duration SENDING = Duration.ofSeconds(3);

  /** How far two clocks, or two writers of one file, may be apart. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  private static final Pattern FRACTION = Pattern.compile("\\.\\d{3}");

  private final Map<String, InboxSnapshot> inboxes;
  private final Instant now;
  private final boolean first;
  private final DeliveryEvidence evidence;
  private final Instant watchedSince;

  /**
   * @param first whether this is the first pass over the folder
   * @param watchedSince since when this process has watched the folder without a gap
   */
  OutboxEntryRules(
      Map<String, InboxSnapshot> inboxes,
      Instant now,
      boolean first,
      DeliveryEvidence evidence,
      Instant watchedSince) {
    this.inboxes = inboxes;
    this.now = now;
    this.first = first;
    this.evidence = evidence;
    this.watchedSince = watchedSince;
  }

  /**
   * @param since when the outbox, as last looked at, was written; it did not have the entry then
   * @param recalled whether to send the entry although it is old
   */
  OutboxEntryState of(SwarmMessage entry, String recipient, Instant since, boolean recalled) {
    InboxSnapshot inbox = inboxes.get(recipient);
    Instant sent = byProgram(entry, since);
    if (inbox != null && inbox.has(entry)) {
      if (sent != null) {
        evidence.sawWriting(entry.from());
      }
      return OutboxEntryState.THERE;
    }
    if (recalled) {
      return OutboxEntryState.UNSENT;
    }
    if (inbox != null && inbox.isUnclear()) {
      return OutboxEntryState.UNCLEAR;
    }
    if (first) {
      return OutboxEntryState.READ;
    }
    if (sent == null) {
      return OutboxEntryState.UNSENT;
    }
    if (now.isBefore(sent.plus(SENDING)) || (inbox != null && inbox.locked())) {
      return OutboxEntryState.UNCLEAR;
    }
    if (inbox == null || !inbox.isWrittenSince(sent)) {
      if (inbox != null) {
        evidence.sawLeaving(entry.from());
      }
      return OutboxEntryState.UNSENT;
    }
    if (evidence.writes(entry.from())) {
      return OutboxEntryState.READ;
    }
    if (evidence.leaves(entry.from())) {
      return OutboxEntryState.UNSENT;
    }
    return watchedSince.isBefore(sent)
        ? OutboxEntryState.PERHAPS_UNSENT
        : OutboxEntryState.PERHAPS_READ;
  }

  /** When a program made the entry; null if it was written by hand. */
  private @Nullable Instant byProgram(SwarmMessage entry, Instant since) {
    Instant sent = Timestamps.parse(entry.timestamp());
    boolean precise = FRACTION.matcher(entry.timestamp()).find();
    if (sent == null || !precise || MessageIds.isOurs(entry.id())) {
      return null;
    }
    boolean rounded = sent.toEpochMilli() % 1000 == 0 && !MessageIds.isUuid(entry.id());
    boolean isTrue = !sent.isBefore(since.minus(SLACK)) && !sent.isAfter(now.plus(SLACK));
    return isTrue && !rounded ? sent : null;
  }
}
