package dev.parley.filelog.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An envelope is found by its id or position, also if other envelopes mention that id. */
class FindTest {
  private static final Topic ONE = new Topic("one");
  private static final Topic TWO = new Topic("two");

  @TempDir private Path folder;
  private FileLog log;

  @BeforeEach
  void open() {
    log =
        new FileLog(
            folder,
            Limits.DEFAULT,
            new PollingInterval(Duration.ofMillis(2), Duration.ofMillis(10)));
  }

  @AfterEach
  void close() {
    log.close();
  }

  private Stored store(Topic topic, Json payload) {
    return log.append(topic, List.of(Message.of("alice", "note", payload))).getFirst();
  }

  @Test
  void everyEnvelopeOfALongTopicIsFoundByIdAndByPlace() {
    Random random = Seed.random("find");
    List<Stored> stored = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      // Long ones, so that some ids cross the boundaries of the blocks that are read.
      stored.add(store(ONE, Json.of("x".repeat(random.nextInt(20_000)))));
    }

    for (Stored one : stored) {
      assertThat(log.find(one.id()).map(Envelope::position)).contains(one.position());
      assertThat(log.find(one.position().in(ONE)).map(Envelope::id)).contains(one.id());
    }
  }

  @Test
  void whatOnlySpeaksOfAnIdIsNotFound() {
    Stored wanted = store(TWO, Json.of("wanted"));
    Stored other = store(ONE, Json.object().put("id", wanted.id()).build());

    assertThat(log.find(wanted.id()).map(Envelope::topic)).contains(TWO);
    assertThat(log.find(wanted.id() + "0")).isEmpty();
    assertThat(log.find(wanted.id().substring(1))).isEmpty();
    assertThat(log.find("")).isEmpty();
    assertThat(log.find("\"")).isEmpty();
    assertThat(log.find(other.id()).map(Envelope::topic)).contains(ONE);
  }

  @Test
  void aPlaceWhereNoLineEndsIsNone() {
    Stored first = store(ONE, Json.of("first"));
    long end = store(ONE, Json.of("second")).position().value();

    assertThat(log.find("one@" + end)).isPresent();
    for (String number :
        List.of("0", "1", "" + (end - 1), "" + (end + 1), "0" + end, "+" + end, "x", "", "9e9")) {
      assertThat(log.find("one@" + number)).as(number).isEmpty();
    }
    assertThat(log.find("one@" + first.position().value()).map(Envelope::id)).contains(first.id());
    assertThat(log.find("none@1")).isEmpty();
  }

  @Test
  void foreignLinesAreFoundAndDamagedOnesPassedOver() throws IOException {
    Files.writeString(
        log.file(ONE),
        "{\"id\":\"f-1\" damaged\n{ \"type\" : \"note\", \"id\" : \"f-1\" }\n{\"id\":\"f-2\"",
        UTF_8,
        StandardOpenOption.CREATE);

    assertThat(log.find("f-1")).isPresent();
    assertThat(log.find("f-2")).isEmpty();
  }
}
