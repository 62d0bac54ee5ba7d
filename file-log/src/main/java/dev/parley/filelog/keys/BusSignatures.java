package dev.parley.filelog.keys;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.keys.KeyPair;
import dev.parley.core.keys.KeyRing;
import dev.parley.core.keys.KeyTypes;
import dev.parley.core.keys.LineSignature;
import dev.parley.core.keys.PublicKey;
import dev.parley.core.keys.SignaturePolicy;
import dev.parley.filelog.FileLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Signs and checks the lines of a bus whose owner requires signatures. Uses the private keys of
 * this user's agents, and the bound keys in the topic {@code keys}.
 *
 * <p>Lines are checked with a topic that was read after them, so with everything that was decided
 * before they were written.
 */
public final class BusSignatures implements SignaturePolicy {
  private static final int BATCH = 1024;

  /** So few lines are verified by one thread: waking another takes as long. */
  private static final int FEW = 8;

  private final FileLog log;
  private final KeyFolder folder;
  private final ConcurrentMap<String, KeyPair> own = new ConcurrentHashMap<>();
  private final List<Refused> refused = new ArrayList<>();
  private KeyRing ring;
  private Bookmark readTo = Bookmark.START;

  /** A line of the topic {@code keys} that has no effect. */
  public record Refused(Envelope line, Rejection why) {}

  public BusSignatures(FileLog log, KeyFolder folder, PublicKey owner) {
    this.log = log;
    this.folder = folder;
    this.ring = new KeyRing(owner);
  }

  /** The bound keys, read from the log now. */
  public synchronized KeyRing ring() {
    refresh();
    return ring;
  }

  /** The lines of the topic that have no effect. */
  public synchronized List<Refused> refused() {
    refresh();
    return List.copyOf(refused);
  }

  private synchronized void refresh() {
    while (true) {
      try {
        readOn();
        return;
      } catch (LostPlaceException e) {
        ring = new KeyRing(ring.owner());
        refused.clear();
        readTo = Bookmark.START;
      }
    }
  }

  /** Reads on if the topic has changed, so that a key that was changed counts no more. */
  private synchronized void keepUp() {
    if (log.size(KeyRing.TOPIC) != readTo.position().value()) {
      refresh();
    }
  }

  private synchronized void readOn() {
    for (Batch batch :
        WholeTopic.batches(place -> log.readUnchecked(KeyRing.TOPIC, place, BATCH), readTo)) {
      for (Envelope line : batch.envelopes()) {
        Rejection why = ring.apply(line);
        if (why != null) {
          refused.add(new Refused(line, why));
        }
      }
      readTo = batch.next();
    }
  }

  @Override
  public void prepare(String sender) {
    if (!own.containsKey(sender)) {
      own.put(sender, keyOf(sender));
    }
  }

  private KeyPair keyOf(String sender) {
    PublicKey bound = ring().key(sender);
    KeyPair key = bound == null ? folder.findOrMake(sender) : folder.find(sender);
    if (bound == null && key != null) {
      own.put(sender, key); // needed to sign the line that binds it
      Json payload = Json.object().put("key", key.publicKey().text()).build();
      var _ = log.append(KeyRing.TOPIC, Message.of(sender, KeyTypes.BIND, payload));
      bound = ring().key(sender);
    }
    if (key == null || !key.publicKey().equals(bound)) {
      own.remove(sender);
      throw ParleyException.refused(
          "not-your-key",
          "This bus requires signatures, and the key of "
              + sender
              + " is not in your state folder.",
          ParleyException.NEXT_BY_CODE);
    }
    return key;
  }

  @Override
  public String sign(
      String sender, Topic topic, String incarnation, long place, byte[] line, int from, int to) {
    KeyPair key = own.get(sender);
    if (key == null) { // it was replaced and forgotten a moment ago
      prepare(sender);
      key = Objects.requireNonNull(own.get(sender));
    }
    return LineSignature.sign(key, topic, incarnation, place, line, from, to);
  }

  @Override
  public synchronized @Nullable Rejection check(Envelope line, String incarnation) {
    keepUp();
    return ring.check(line, incarnation);
  }

  /**
   * Which lines count. Verifying takes almost all of the time of reading signed lines, so all
   * processors take part.
   */
  synchronized boolean[] counting(List<Envelope> lines, String incarnation) {
    keepUp();
    boolean[] counting = new boolean[lines.size()];
    IntStream all = IntStream.range(0, lines.size());
    (lines.size() < FEW ? all : all.parallel())
        .forEach(i -> counting[i] = ring.check(lines.get(i), incarnation) == null);
    return counting;
  }

  /** Forgets an agent's private key after it was replaced. */
  void forget(String agent) {
    own.remove(agent);
  }
}
