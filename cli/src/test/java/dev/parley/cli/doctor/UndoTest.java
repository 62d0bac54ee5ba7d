package dev.parley.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code parley doctor --undo}: what a foreign hand wrote into the ledger is seen and taken back.
 */
class UndoTest {
  @TempDir private Path temporary;
  private Path folder;
  private Trial alice;
  private int forged;

  @BeforeEach
  void makeABus() throws IOException {
    folder = temporary.toRealPath();
    new Trial(folder).run("init");
    alice = new Trial(folder).with("PARLEY_AGENT", "alice");
    alice.run("join", "--as", "alice");
  }

  /** Appends a line, and gives back what it is called. */
  private String forge(String type, String payload) throws IOException {
    forged++;
    Path ledger = folder.resolve(".parley/ledger.jsonl");
    String line =
        """
        {"id":"zzzzzzzzzzzzzzzz-%d","seq":%d,"timestamp":"2026-11-15T12:00:00.000000Z",\
        "sender":"mallory","topic":"ledger","type":"%s","payload":%s\
        """
            .formatted(forged, forged, type, payload);
    CRC32C sum = new CRC32C();
    sum.update(line.getBytes(UTF_8));
    String end = ",\"sum\":\"%08x\"}%n".formatted(sum.getValue());
    Files.writeString(ledger, line + end, UTF_8, StandardOpenOption.APPEND);
    return "ledger@" + Files.size(ledger);
  }

  /** Says so often that alice lives that a view of the ledger is saved. */
  private void beat() {
    for (int i = 0; i < 2 * FoldReader.SAVE_SOON; i++) {
      assertThat(alice.run("heartbeat", "--as", "alice").exitCode()).isZero();
    }
  }

  @Test
  void aBusThatUnknownRulesStoppedIsNotHealthyAndWorksAgainWhenTheyAreUndone() throws IOException {
    beat();
    String line = forge("rules", "{\"rules\":999}");

    Answer stopped = alice.run("lock", "a.txt", "--as", "alice");
    Answer ill = alice.run("doctor");
    Answer undone = alice.run("doctor", "--undo", line, "--reason", "nobody uses these");
    Answer well = alice.run("doctor");
    Answer works = alice.run("lock", "a.txt", "--as", "alice");

    assertThat(stopped.exitCode()).isNotZero();
    assertThat(stopped.err()).contains("rules 999", "parley doctor");
    assertThat(ill.exitCode()).isEqualTo(1);
    assertThat(ill.out())
        .contains("not healthy", line, "mallory", "rules 999", "parley doctor --undo " + line);
    assertThat(undone.exitCode()).as(undone.err()).isZero();
    assertThat(undone.out()).contains("undone", line);
    assertThat(well.exitCode()).as(well.out()).isZero();
    assertThat(works.exitCode()).as(works.err()).isZero();
    // Readers that go on from a view, and one that has none, come to the same.
    beat();
    String fromView = alice.run("who", "--json").out();
    try (Stream<Path> views = Files.list(folder.resolve(".parley/views"))) {
      for (Path view : views.toList()) {
        Files.delete(view);
      }
    }
    assertThat(alice.run("who", "--json").out()).isEqualTo(fromView);
    assertThat(alice.run("lock", "b.txt", "--as", "alice").exitCode()).isZero();
  }

  @Test
  void linesThatDecidedNothingAreNamedAndTheBusIsHealthyAllTheSame() throws IOException {
    String unknown = forge("lease.request", "{\"session\":\"never\",\"paths\":[\"a\"]}");
    Files.writeString(
        folder.resolve(".parley/ledger.jsonl"),
        "{\"type\":\"rules\",\"payload\":{\"rules\":999}}\n",
        StandardOpenOption.APPEND);

    Answer answer = alice.run("doctor");

    assertThat(answer.exitCode()).as(answer.out()).isZero();
    assertThat(answer.out())
        .contains(unknown, "mallory", "never joined", "is not a valid ledger line");
  }

  @Test
  void aForgedSessionIsUndoneWithAllItHolds() throws IOException {
    String join = forge("join", "{\"session\":\"s-forged\"}");
    forge("lease.request", "{\"session\":\"s-forged\",\"paths\":[\"**\"],\"repo\":true}");
    Answer before = alice.run("lock", "a.txt", "--as", "alice");
    Answer undone = alice.run("doctor", "--undo", join, "--reason", "forged", "--json");
    Answer after = alice.run("lock", "a.txt", "--as", "alice");

    assertThat(before.exitCode()).isNotZero();
    assertThat(undone.json()).containsKey("undone");
    assertThat(after.exitCode()).as(after.err()).isZero();
  }

  @Test
  void whatCantBeUndoneIsRefusedAndSoIsAnUndoWithoutAReason() {
    Answer nothing = alice.run("doctor", "--undo", "ledger@1", "--reason", "x", "--json");
    Answer noReason = alice.run("doctor", "--undo", "ledger@1");
    Answer elsewhere = alice.run("doctor", "--undo", "notes@1", "--reason", "x");

    assertThat(nothing.exitCode()).isNotZero();
    assertThat(nothing.err() + nothing.out()).contains("nothing-to-undo");
    assertThat(noReason.err()).contains("reason");
    assertThat(elsewhere.err()).contains("not a ledger or receipts line");
  }

  @Test
  void aReceiptThatSomebodyElseWroteIsNamedAndTakenBack() {
    Trial bob = new Trial(folder).with("PARLEY_AGENT", "bob");
    bob.run("join", "--as", "bob");
    Answer sent = alice.run("send", "bob", "--body", "Which port?", "--as", "alice", "--json");
    Envelope mail;
    try (FileLog log = BusFolder.find(null, folder, Map.of()).openLog()) {
      mail = WholeTopic.of(log, new Topic("mail.bob")).getFirst();
      Json payload =
          Json.object()
              .put("mailbox", mail.id())
              .put("how", "acknowledged")
              .put("at", Json.of(List.of(Json.of(mail.position().value()))))
              .put("ids", Json.ofStrings(List.of(mail.id())))
              .build();
      var _ = log.append(new Topic("receipts.bob"), Message.of("mallory", "mail.end", payload));
    }
    assertThat(sent.out()).contains(mail.id());
    assertThat(bob.run("inbox", "--as", "bob").out()).doesNotContain("Which port?");
    String doctor = alice.run("doctor").out();
    assertThat(doctor).contains("by mallory", "--undo receipts.bob@");
    String place = doctor.replaceAll("(?s).*--undo (receipts.bob@\\d+).*", "$1");

    Answer undone = alice.run("doctor", "--undo", place, "--reason", "bob did not say so");

    assertThat(undone.out()).isEqualTo("undone  " + place + "\n");
    assertThat(bob.run("inbox", "--as", "bob").out()).contains("Which port?");
    assertThat(alice.run("doctor", "--undo", place, "--reason", "again").exitCode()).isEqualTo(3);
    assertThat(alice.run("doctor", "--undo", "notes@1", "--reason", "x").exitCode()).isEqualTo(2);
  }
}
