package dev.parley.dialects.conclave;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.message.JsonLineCodec;
import dev.parley.dialects.message.JsonLinesFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 0.4 and 0.9. */
class ConclaveFilesTest {
  @TempDir Path folder;
  private ConclaveFiles files;

  @BeforeEach
  void create() {
    files = new ConclaveFiles(folder, Prefix.of("conclave"));
  }

  private static Json message(String sender, int number) {
    return Json.object()
        .put("id", "aaaaaaaaaaaaaaaa-" + number)
        .put("sender", sender)
        .put("type", "debate.finding")
        .put("payload", Json.EMPTY_OBJECT)
        .build();
  }

  private List<Json> lines(Path file) throws Exception {
    return JsonLinesFormat.read(
            Files.readAllBytes(file),
            0,
            (line, understood, reason) -> {
              throw new AssertionError(line + " " + reason);
            },
            (line, end) -> line.json())
        .messages();
  }

  @Test
  void filesAreTopicsAndWavesHaveBoardsOfTheirOwn() throws Exception {
    Files.createDirectory(folder.resolve("wave-0"));
    Files.createDirectory(folder.resolve("wave-1"));
    Files.writeString(folder.resolve("consensus.s1.debate.jsonl"), "");
    Files.writeString(folder.resolve("wave-0/board.jsonl"), "");
    Files.writeString(folder.resolve("not a topic.jsonl"), "");

    assertThat(files.names())
        .containsExactly("consensus.s1.debate.jsonl", "not a topic.jsonl", "wave-0/board.jsonl");
    assertThat(files.topicOf("not a topic.jsonl"))
        .isEqualTo(new Topic("conclave.escaped.not_20a_20topic"));
    assertThat(files.topicOf("wave-0/board.jsonl")).isEqualTo(new Topic("bulletin.wave-0"));
    assertThat(files.fileOf(new Topic("bulletin.wave-0"))).isEqualTo("wave-0/board.jsonl");
    assertThat(files.fileOf(new Topic("bulletin.wave-1")))
        .isEqualTo("wave-1/parallel.wave-1.board.jsonl");
    assertThat(files.fileOf(new Topic("mail.claude"))).isEqualTo("mail.claude.jsonl");
    byte[] mail = JsonLinesFormat.line(message("x", 1), true);
    assertThat(files.read("mail.claude.jsonl", mail, 0, (l, u, r) -> {}).messages())
        .singleElement()
        .satisfies(message -> assertThat(message.to()).containsExactly("claude"));
  }

  /** Nothing is lost or torn beside tools that append under flock, and numbers have no gap. */
  @Test
  void weAppendBesideToolsThatTakeTheLock() throws Exception {
    Path file = folder.resolve("debate.jsonl");
    Path client = Path.of("src/test/resources/clients/flock_writer.sh").toAbsolutePath();
    List<Process> others = new ArrayList<>();
    for (String name : List.of("sh1", "sh2")) {
      others.add(
          new ProcessBuilder("sh", client.toString(), file.toString(), "50", name)
              .inheritIO()
              .start());
    }
    for (int i = 1; i <= 50; i++) {
      files.append("debate.jsonl", message("alice", i));
    }
    for (Process other : others) {
      assertThat(other.waitFor()).isZero();
    }

    List<Json> lines = lines(file);
    assertThat(lines).hasSize(150);
    for (String sender : List.of("sh1", "sh2", "alice")) {
      assertThat(lines.stream().map(Fields::of).filter(f -> sender.equals(f.text("sender"))))
          .extracting(fields -> fields.number("seq", 0))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
    }
  }

  @Test
  void aHeldLockMakesUsWaitAndAnUnfinishedLineIsNotContinued() throws Exception {
    Path file = folder.resolve("debate.jsonl");
    Files.writeString(file, "{\"type\":\"torn");
    Process holder =
        new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo held; read line").start();
    assertThat(holder.inputReader().readLine()).isEqualTo("held");
    Thread writer =
        Thread.ofPlatform().start(() -> files.append("debate.jsonl", message("alice", 1)));
    assertThat(writer.join(Duration.ofMillis(300))).isFalse();
    assertThat(file).hasContent("{\"type\":\"torn");

    holder.outputWriter().write("\n");
    holder.outputWriter().flush();
    writer.join();

    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  /** The original's subscribers read lines of up to 64 KB, and stop at a longer one. */
  @Test
  void aPayloadThatIsTooLongForTheOriginalIsReferredTo() throws Exception {
    String text = "\u00e4word ".repeat(20_000);
    Json payload = Json.object().put("text", text).build();
    files.append("debate.jsonl", JsonLineCodec.with(message("alice", 1), "payload", payload));
    files.append("debate.jsonl", message("alice", 2));

    assertThat(Files.readAllLines(folder.resolve("debate.jsonl")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line.getBytes(UTF_8).length).isLessThan(64 << 10));
    Fields reference =
        Fields.of(lines(folder.resolve("debate.jsonl")).getFirst()).object("payload");
    assertThat(folder.resolve(reference.text("file", ""))).hasContent(payload.toString());
    assertThat(files.names()).containsExactly("debate.jsonl");
  }
}
