package dev.parley.filelog.keys;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.keys.SignaturePolicy.Rejection;
import dev.parley.filelog.FileLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a log whose lines are signed when they are written and checked when they are read.
 *
 * <p>Readers treat a line with a missing or invalid signature as damage: they report its position
 * and pass over it. The topic {@code keys} is not checked here, because its fold checks each line.
 */
public final class SignedTopics {
  private final FileLog log;
  private final BusSignatures signatures;

  /** The id of each topic's first line. */
  private final ConcurrentMap<Topic, String> incarnations = new ConcurrentHashMap<>();

  public SignedTopics(FileLog log, BusSignatures signatures) {
    this.log = log;
    this.signatures = signatures;
  }

  public BusSignatures signatures() {
    return signatures;
  }

  /**
   * Makes sure that messages can be signed. It may append to the topic {@code keys}, so it must be
   * called without a lock.
   */
  public void prepare(Topic topic, List<Message> messages) {
    if (!topic.equals(KeyRing.TOPIC)) {
      for (Message message : messages) {
        signatures.prepare(message.sender());
      }
    }
  }

  /**
   * Signs the lines of one write. The first byte of the write is a newline that may be left out.
   */
  public EnvelopeEncoder.Signer signer(Topic topic) {
    return new EnvelopeEncoder.Signer() {
      private long size = -1;
      private String incarnation = "";

      @Override
      public String sign(String sender, byte[] line, int from, int to) {
        if (size < 0) {
          size = log.size(topic);
          incarnation = size == 0 ? "" : readIncarnation(topic);
        }
        // Before there is a first line, only position 0 is known.
        long place = incarnation.isEmpty() ? 0 : size + from - 1;
        return signatures.sign(sender, topic, incarnation, place, line, from, to);
      }
    };
  }

  /** The valid lines of a batch; the others as damage. */
  public Batch checked(Topic topic, Batch batch) {
    if (topic.equals(KeyRing.TOPIC) || batch.envelopes().isEmpty()) {
      return batch;
    }
    List<Envelope> counting = new ArrayList<>(batch.envelopes().size());
    List<Damage> damage = new ArrayList<>(batch.damage());
    boolean[] known = signatures.counting(batch.envelopes(), incarnation(topic));
    for (int i = 0; i < known.length; i++) {
      Envelope line = batch.envelopes().get(i);
      Rejection why = known[i] ? null : check(line);
      if (why == null) {
        counting.add(line);
      } else {
        int length = line.toLine().length;
        Position start = new Position(line.position().value() - length - 1);
        damage.add(new Damage(topic, start, length, why.words()));
      }
    }
    return counting.size() == batch.envelopes().size()
        ? batch
        : new Batch(counting, damage, batch.next());
  }

  public boolean counts(Envelope line) {
    return line.topic().equals(KeyRing.TOPIC) || check(line) == null;
  }

  /**
   * Whether a line that was just stored is valid; if not, its sender's key may have been replaced.
   */
  public boolean countsStored(Envelope line) {
    boolean counts = check(line) == null;
    if (!counts) {
      signatures.forget(line.sender());
    }
    return counts;
  }

  /** The reason why a line is rejected; null if it is valid. */
  @Nullable Rejection check(Envelope line) {
    Topic topic = line.topic();
    String known = incarnations.get(topic);
    String incarnation = incarnation(topic);
    Rejection why = signatures.check(line, incarnation);
    if (why == Rejection.FORGED && known != null) {
      String now = readIncarnation(topic); // the topic may have been replaced since
      return now.equals(known) ? why : signatures.check(line, now);
    }
    return why;
  }

  private String incarnation(Topic topic) {
    String known = incarnations.get(topic);
    return known == null ? readIncarnation(topic) : known;
  }

  private String readIncarnation(Topic topic) {
    List<Envelope> first = log.readUnchecked(topic, Bookmark.START, 1).envelopes();
    String incarnation = first.isEmpty() ? "" : first.getFirst().id();
    if (!incarnation.isEmpty()) {
      incarnations.put(topic, incarnation);
    }
    return incarnation;
  }
}
