package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.linux.SystemCalls;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A topic is moved away again and again while one thread appends to it. An append that begins after
 * a move has returned must not go into the moved file.
 */
class AppendsDuringRenamesTest {
  private static final Topic TOPIC = new Topic("rush");
  private static final int MOVES = Seed.isLong() ? 5_000 : 300;

  /** Counts the operations on the disk. */
  private static final class Count implements ScriptedDisk.Script {
    private int looks;
    private int writes;

    @Override
    public void before(ScriptedDisk.Step step) {
      looks += step == ScriptedDisk.Step.LOOK ? 1 : 0;
      writes += step == ScriptedDisk.Step.WRITE ? 1 : 0;
    }
  }

  @Test
  void whatIsAppendedAfterATopicWasMovedAwayIsNotInTheOldFile() throws Exception {
    assumeThat(SystemCalls.areAllowed()).isTrue();
    try (TestFolder onDisk = TestFolder.onDisk();
        TestFolder inMemory = TestFolder.onTmpfs()) {
      prove("on disk", onDisk.path().toRealPath());
      prove("in memory", inMemory.path().toRealPath());
    }
  }

  private static void prove(String where, Path folder) throws Exception {
    Path file = folder.resolve(TOPIC + ".jsonl");
    AtomicInteger moves = new AtomicInteger();
    Map<String, Integer> movesBefore = new HashMap<>();
    Count count = new Count();
    AtomicInteger appended = new AtomicInteger();
    Random random = Seed.random("appends between moves " + where);
    Thread mover = Thread.ofPlatform().start(() -> move(file, moves, appended, random));
    try (FileLog log =
        new FileLog(
            folder,
            Limits.DEFAULT,
            PollingInterval.DEFAULT,
            Durability.OS,
            new ScriptedDisk(count))) {
      while (mover.isAlive()) {
        int before = moves.get();
        Stored stored =
            log.append(TOPIC, List.of(Message.of("ours", "proof", Json.of(before)))).getFirst();
        movesBefore.put(stored.id(), before);
        appended.incrementAndGet();
      }
    } finally {
      moves.addAndGet(MOVES); // ends the mover, too
      mover.join();
    }
    Map<String, Integer> lastFile = new HashMap<>();
    for (int i = 1; i <= MOVES + 1; i++) {
      for (String id : ids(i <= MOVES ? old(file, i) : file)) {
        lastFile.put(id, i);
      }
    }
    movesBefore.forEach((id, before) ->
        assertThat(lastFile.get(id))
            .as("%s: the file of %s, appended after move %d", where, id, before)
            .isNotNull()
            .isGreaterThan(before));
    assertThat(count.looks).as("a look after each write").isGreaterThanOrEqualTo(count.writes);
    Seed.say(
        where
            + ": "
            + movesBefore.size()
            + " acknowledged beside "
            + MOVES
            + " moves, "
            + count.looks
            + " looks at the path, none misplaced");
  }

  private static Path old(Path file, int number) {
    return file.resolveSibling("old." + number);
  }

  /** Moves the topic away at a random moment of an append. */
  private static void move(Path file, AtomicInteger moves, AtomicInteger appended, Random random) {
    while (moves.get() < MOVES) {
      int next = appended.get() + 2 + random.nextInt(100);
      while (appended.get() < next && moves.get() < MOVES) {
        Thread.onSpinWait();
      }
      try {
        Files.move(file, old(file, moves.get() + 1), StandardCopyOption.ATOMIC_MOVE);
        moves.incrementAndGet();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static List<String> ids(Path file) throws IOException {
    List<String> ids = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("{\"id\":\"")) {
          ids.add(line.substring(7, line.indexOf('"', 7)));
        }
      }
    }
    return ids;
  }
}
