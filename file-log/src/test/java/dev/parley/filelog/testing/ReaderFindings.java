package dev.parley.filelog.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Topic;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** What one reader found in a topic from its start on, and checks of it. */
public final class ReaderFindings {
  private final Topic topic;
  private final MessageDigest digest;
  private final Map<String, Ack> natives = new HashMap<>();
  private final Map<String, List<Long>> keys = new HashMap<>();
  private final Map<String, Long> lastSeq = new HashMap<>();
  private final List<Damage> damage = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> gaps = new ArrayList<>();
  private Bookmark place = Bookmark.START;

  ReaderFindings(Topic topic) {
    this.topic = topic;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a topic from its start to its end. */
  public static ReaderFindings of(Path folder, Topic topic, int lineLimit) {
    ReaderFindings reading = new ReaderFindings(topic);
    try (FileLog log =
        new FileLog(folder, new Limits(lineLimit, Limits.DEFAULT_DEPTH), PollingInterval.DEFAULT)) {
      reading.readOn(log);
    }
    return reading;
  }

  public static ReaderFindings of(Path folder, Topic topic) {
    return of(folder, topic, Limits.DEFAULT_LINE);
  }

  /** Reads what is new. */
  void readOn(FileLog log) {
    while (true) {
      Batch batch = log.read(topic, place, 1000);
      batch.envelopes().forEach(this::see);
      damage.addAll(batch.damage());
      if (batch.next().equals(place)) {
        return;
      }
      place = batch.next();
    }
  }

  private void see(Envelope envelope) {
    Ack found =
        new Ack(
            envelope.position().value(),
            envelope.id(),
            envelope.seq(),
            envelope.sender(),
            String.valueOf(envelope.key()),
            Ack.hash(envelope.payload()));
    digest.update((found + "\n").getBytes(US_ASCII));
    if (envelope.key() != null) {
      keys.computeIfAbsent(found.sender(), sender -> new ArrayList<>())
          .add(Long.valueOf(found.key()));
    }
    if (envelope.isNative()) {
      if (natives.put(found.id(), found) != null) {
        doubled.add(found.toString());
      }
      Long last = lastSeq.put(String.valueOf(WriterId.in(found.id())), found.seq());
      if (last != null && found.seq() != last + 1) {
        gaps.add("after seq " + last + ": " + found);
      }
    }
  }

  /** The number of native envelopes. */
  public int count() {
    return natives.size();
  }

  public List<Damage> damage() {
    return damage;
  }

  /** The numbers that a sender gave its messages, in the order of the topic. */
  public List<Long> keys(String sender) {
    return keys.getOrDefault(sender, List.of());
  }

  /** A line that is equal for two readers only if they saw the same messages in the same order. */
  String summary() {
    try {
      MessageDigest copy = (MessageDigest) digest.clone();
      String hash = HexFormat.of().formatHex(copy.digest());
      return "read " + natives.size() + " damage " + damage.size() + " " + hash;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Checks that no line of a writer is missing between two others. */
  public void hasNoGaps() {
    assertThat(gaps).as("a writer's count jumps").isEmpty();
  }

  /**
   * Checks that every acknowledged message is at the acknowledged position, unchanged, once, and in
   * order.
   */
  public void holds(Collection<Ack> acks) {
    assertThat(doubled).as("there twice").isEmpty();
    List<String> lost = new ArrayList<>();
    for (Ack ack : acks) {
      Ack found = natives.get(ack.id());
      if (!ack.equals(found)) {
        lost.add(ack + " but found " + found);
      }
    }
    assertThat(lost).as("acknowledged but not there").isEmpty();
    keys.forEach((sender, numbers) ->
        assertThat(numbers).as("the order of " + sender).isSorted().doesNotHaveDuplicates());
  }
}
