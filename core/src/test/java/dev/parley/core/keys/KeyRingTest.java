package dev.parley.core.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.keys.SignaturePolicy.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyRingTest {
  private static final Topic NOTES = new Topic("notes");

  private final KeyPair owner = KeyPair.generate();
  private final KeyPair alice = KeyPair.generate();
  private final KeyPair mallory = KeyPair.generate();
  private final KeyRing ring = new KeyRing(owner.publicKey());
  private final SignedTopic keys = new SignedTopic(KeyRing.TOPIC);
  private final SignedTopic notes = new SignedTopic(NOTES);

  private static Message note(String sender, String text) {
    return Message.of(sender, "note", Json.object().put("text", text).build());
  }

  private @Nullable Rejection require(KeyPair signer, Json from) {
    return ring.apply(
        keys.append(
            signer,
            Message.of("human", KeyTypes.REQUIRE, Json.object().put("from", from).build())));
  }

  private @Nullable Rejection bind(String agent, KeyPair key, KeyPair signer) {
    Json payload = Json.object().put("key", key.publicKey().text()).build();
    return ring.apply(keys.append(signer, Message.of(agent, KeyTypes.BIND, payload)));
  }

  private @Nullable Rejection change(String agent, KeyPair key, Json from, KeyPair signer) {
    Json payload =
        Json.object()
            .put("agent", agent)
            .put("key", key.publicKey().text())
            .put("from", from)
            .build();
    return ring.apply(keys.append(signer, Message.of("human", KeyTypes.CHANGE, payload)));
  }

  private @Nullable Rejection check(Envelope line) {
    return ring.check(line, notes.incarnation());
  }

  private Json places() {
    return Json.object().put("notes", notes.size()).build();
  }

  @Test
  void nothingIsAskedOfLinesBeforeSignaturesAreRequired() {
    Envelope before = notes.append(null, note("alice", "early"));
    assertThat(check(before)).isNull();
    assertThat(require(owner, places())).isNull();
    assertThat(check(before)).isNull();
    assertThat(check(notes.append(null, note("alice", "late")))).isEqualTo(Rejection.UNSIGNED);
  }

  @Test
  void onlyTheOwnerRequiresSignatures() {
    assertThat(require(mallory, Json.EMPTY_OBJECT)).isEqualTo(Rejection.FORGED);
    assertThat(ring.isRequired()).isFalse();
  }

  @Test
  void aLineCountsUnderTheKeyOfItsSenderAlone() {
    require(owner, Json.EMPTY_OBJECT);
    assertThat(bind("alice", alice, alice)).isNull();
    assertThat(check(notes.append(alice, note("alice", "hers")))).isNull();
    assertThat(check(notes.append(mallory, note("alice", "forged")))).isEqualTo(Rejection.FORGED);
    assertThat(check(notes.append(alice, note("bob", "no key")))).isEqualTo(Rejection.UNKNOWN_KEY);
  }

  @Test
  void theFirstKeyOfANameStays() {
    require(owner, Json.EMPTY_OBJECT);
    assertThat(bind("alice", alice, mallory)).isEqualTo(Rejection.FORGED);
    assertThat(bind("alice", alice, alice)).isNull();
    assertThat(bind("alice", mallory, mallory)).isEqualTo(Rejection.UNKNOWN_KEY);
    assertThat(ring.key("alice")).isEqualTo(alice.publicKey());
  }

  @Test
  void onlyTheOwnerChangesAKeyAndEarlierLinesKeepCounting() {
    require(owner, Json.EMPTY_OBJECT);
    bind("alice", alice, alice);
    Envelope before = notes.append(alice, note("alice", "with the first key"));
    KeyPair second = KeyPair.generate();
    assertThat(change("alice", mallory, places(), mallory)).isEqualTo(Rejection.FORGED);
    assertThat(change("alice", second, places(), owner)).isNull();
    assertThat(check(before)).isNull();
    assertThat(check(notes.append(alice, note("alice", "stolen")))).isEqualTo(Rejection.FORGED);
    assertThat(check(notes.append(second, note("alice", "new")))).isNull();
  }

  @Test
  void aCopyOfAnOldLineDoesNotCountAgain() {
    require(owner, Json.EMPTY_OBJECT);
    bind("alice", alice, alice);
    byte[] first = notes.append(alice, note("alice", "release the lock")).toLine();
    byte[] second = notes.append(alice, note("alice", "and again")).toLine();
    while (notes.size() <= 2 * LineSignature.WINDOW) {
      notes.append(alice, note("alice", "x".repeat(20_000)));
    }
    assertThat(check(notes.append(first))).isEqualTo(Rejection.STALE);
    assertThat(check(notes.append(second))).isEqualTo(Rejection.STALE);
    byte[] ahead = notes.line(alice, notes.size() + 1, note("alice", "from the future"));
    assertThat(check(notes.append(ahead))).isEqualTo(Rejection.STALE);
  }

  @Test
  void aLineDoesNotCountInAnotherTopicOrIncarnation() {
    require(owner, Json.EMPTY_OBJECT);
    bind("alice", alice, alice);
    notes.append(alice, note("alice", "first"));
    byte[] line = notes.append(alice, note("alice", "second")).toLine();
    SignedTopic replaced = new SignedTopic(NOTES);
    replaced.append(alice, note("alice", "another beginning"));
    assertThat(ring.check(replaced.append(line), replaced.incarnation()))
        .isEqualTo(Rejection.FORGED);
    SignedTopic other = new SignedTopic(new Topic("other"));
    other.append(alice, note("alice", "its own"));
    assertThat(ring.check(other.append(line), notes.incarnation())).isEqualTo(Rejection.FORGED);
  }

  @Test
  void everyChangeOfASignedLineIsFound() {
    Random random = Seed.random("mutations of signed lines");
    require(owner, Json.EMPTY_OBJECT);
    bind("alice", alice, alice);
    notes.append(alice, note("alice", "first"));
    Envelope line =
        notes.append(
            alice,
            Message.builder("alice", "question")
                .payload(Json.object().put("text", "Which port?").put("n", 17).build())
                .to(List.of("bob", "carol"))
                .needsReply(true)
                .key("k-1")
                .task("1.1")
                .build());
    assertThat(check(line)).isNull();
    int envelopes = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] changed = resummed(mutate(line.toLine(), random));
      if (Arrays.equals(changed, line.toLine())) {
        continue;
      }
      try {
        Envelope read = notes.inPlaceOf(line, changed);
        envelopes++;
        assertThat(check(read)).as(new String(changed, StandardCharsets.UTF_8)).isNotNull();
      } catch (JsonException e) {
        // Damage: reported and passed over without asking for its signature.
      }
    }
    assertThat(envelopes).as("mutations that are still envelopes").isGreaterThan(2_000);
  }

  /** Changes up to four places, so that most of the results are still JSON. */
  private static byte[] mutate(byte[] line, Random random) {
    byte[] changed = line.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(changed.length - 18);
      switch (random.nextInt(4)) {
        case 0 -> changed[at] ^= (byte) (1 << random.nextInt(7));
        case 1 -> changed[at] = (byte) ('a' + random.nextInt(26));
        case 2 -> changed[at] = (byte) ('0' + random.nextInt(10));
        default -> {
          byte[] shorter = new byte[changed.length - 1];
          System.arraycopy(changed, 0, shorter, 0, at);
          System.arraycopy(changed, at + 1, shorter, at, shorter.length - at);
          changed = shorter;
        }
      }
    }
    return changed;
  }

  /** The line with a correct checksum, as an attacker would write it. */
  private static byte[] resummed(byte[] line) {
    int end = line.length - 18;
    CRC32C crc = new CRC32C();
    crc.update(line, 0, end);
    byte[] sum = ",\"sum\":\"%08x\"}".formatted(crc.getValue()).getBytes(StandardCharsets.US_ASCII);
    byte[] whole = Arrays.copyOf(line, line.length);
    System.arraycopy(sum, 0, whole, end, sum.length);
    return whole;
  }

  @Test
  void aKeyPairSurvivesItsFile() {
    KeyPair read = KeyPair.parse(alice.toFile());
    assertThat(read).isNotNull();
    assertThat(read.publicKey()).isEqualTo(alice.publicKey());
    assertThat(alice.toString())
        .doesNotContain(alice.toFile().substring(0, alice.toFile().indexOf(' ')));
    assertThat(KeyPair.parse("nothing")).isNull();
    assertThat(PublicKey.parse(alice.publicKey().text() + "=")).isNull();
  }
}
