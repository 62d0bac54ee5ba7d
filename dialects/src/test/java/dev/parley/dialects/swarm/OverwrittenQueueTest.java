package dev.parley.dialects.swarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.linux.SystemCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seed 2.6: a program that takes no lock adds to a queue while we change it. A program that has not
 * seen its last entry come back yet, and writes the file without it, has removed it.
 */
class OverwrittenQueueTest {
  private final int writes = Seed.isLong() ? 20_000 : 200;
  @TempDir Path folder;
  private Path file;
  private QueueFile queue;

  @BeforeEach
  void open() {
    file = folder.resolve("developer.json");
    queue = new QueueFile(file, (line, understood, reason) -> {});
    queue.create();
  }

  private interface Writer {
    void write(String text) throws Exception;
  }

  /** Where the system cannot exchange two files in one step, there is no such guarantee. */
  @Test
  void nothingIsLostWhenItPutsAnotherFileInItsPlace() throws Exception {
    assumeThat(SystemCalls.areAllowed()).isTrue();
    Path other = folder.resolve("other");
    assertNothingIsLost(text -> {
      Files.writeString(other, text);
      Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    });
  }

  /** The program adds an entry when it sees the one before in the file. */
  private void assertNothingIsLost(Writer writer) throws Exception {
    AtomicReference<Exception> failure = new AtomicReference<>();
    Thread program =
        Thread.ofPlatform()
            .start(() -> {
              try {
                for (int i = 0; i < writes; i++) {
                  Json entry = Json.of("theirs " + i);
                  List<Json> all = new ArrayList<>(readWhole());
                  all.add(entry);
                  writer.write(Json.of(all).toString());
                  Awaitility.await()
                      .pollInterval(Duration.ofNanos(1000))
                      .pollDelay(Duration.ZERO)
                      .until(() -> readWhole().contains(entry));
                }
              } catch (Exception e) {
                failure.set(e);
              }
            });
    for (int i = 0; program.isAlive(); i++) {
      change(i);
    }
    assertThat(failure.get()).isNull();
    assertThat(queue.items().stream().map(Json::text).filter(text -> text.startsWith("theirs")))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, writes).mapToObj(i -> "theirs " + i).toList());
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }

  /** Keeps an entry of ours in it, another one each time. */
  private void change(int number) {
    queue.change(items -> {
      List<Json> more = new ArrayList<>(items);
      more.removeIf(item -> String.valueOf(item.text()).startsWith("ours"));
      more.add(Json.of("ours " + number));
      return more;
    });
  }

  private List<Json> readWhole() throws Exception {
    while (true) {
      try {
        return Json.parse(Files.readAllBytes(file), Json.DEFAULT_DEPTH).items();
      } catch (JsonException e) {
        Thread.onSpinWait(); // we never leave a part, but two writers of one file may
      }
    }
  }
}
