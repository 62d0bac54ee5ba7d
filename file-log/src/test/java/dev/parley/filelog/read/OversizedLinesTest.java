package dev.parley.filelog.read;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.testing.ReaderMain;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.watch.PollingInterval;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines longer than the limit, as foreign tools may write them. */
class OversizedLinesTest {
  private static final Topic TOPIC = new Topic("long");
  private static final String LINE = "{\"type\":\"note\",\"sender\":\"x\"}\n";

  @TempDir Path folder;

  private final List<Envelope> envelopes = new ArrayList<>();
  private final List<Damage> damage = new ArrayList<>();

  private void readAll(int limit) {
    envelopes.clear();
    damage.clear();
    try (FileLog log =
        new FileLog(folder, new Limits(limit, Limits.DEFAULT_DEPTH), PollingInterval.DEFAULT)) {
      Bookmark place = Bookmark.START;
      while (true) {
        Batch batch = log.read(TOPIC, place, 64);
        envelopes.addAll(batch.envelopes());
        damage.addAll(batch.damage());
        if (batch.next().equals(place)) {
          return;
        }
        place = batch.next();
      }
    }
  }

  private Path file() {
    return folder.resolve(TOPIC + ".jsonl");
  }

  /** Lengths around the limit and around the sizes that files are read in. */
  @Test
  void aLineLongerThanTheLimitIsReportedAndThoseAfterItAreRead() throws Exception {
    for (int limit : new int[] {1024, 200_000, LineScanner.CHUNK, 1 << 20}) {
      for (int length :
          new int[] {
            limit - 1,
            limit,
            limit + 1,
            limit + 2,
            2 * limit,
            LineScanner.CHUNK - 1,
            LineScanner.CHUNK,
            LineScanner.CHUNK + 1,
            3 * LineScanner.CHUNK,
            5 << 20
          }) {
        String start = "{\"type\":\"long\",\"payload\":\"";
        String line = start + "z".repeat(length - start.length() - 2) + "\"}";
        Files.writeString(file(), LINE + line + "\n" + LINE + LINE);
        readAll(limit);
        String what = "a line of " + length + " at a limit of " + limit;
        if (length > limit) {
          assertThat(envelopes).as(what).hasSize(3);
          assertThat(damage).as(what).hasSize(1);
          assertThat(damage.getFirst().offset()).isEqualTo(new Position(LINE.length()));
          assertThat(damage.getFirst().length()).as(what).isEqualTo(length);
          assertThat(damage.getFirst().reason()).contains("longer than");
        } else {
          assertThat(damage).as(what).isEmpty();
          assertThat(envelopes).as(what).hasSize(4);
          assertThat(envelopes.get(1).toLine()).isEqualTo(line.getBytes(US_ASCII));
        }
        assertThat(envelopes.getLast().position().value()).isEqualTo(Files.size(file()));
      }
    }
  }

  @Test
  void aLineWithoutEndIsNotThereYetAndIsReportedOnceItEnds() throws Exception {
    Files.writeString(file(), LINE + "q".repeat(3 << 20));
    readAll(4096);
    assertThat(envelopes).hasSize(1);
    assertThat(damage).isEmpty();
    Files.writeString(file(), "\n" + LINE, UTF_8, StandardOpenOption.APPEND);
    readAll(4096);
    assertThat(envelopes).hasSize(2);
    assertThat(damage).hasSize(1);
    assertThat(damage.getFirst().length()).isEqualTo(3 << 20);
  }

  @Test
  void aLineOfAGigabyteIsPassedOverInAProcessWithLittleMemory() throws Exception {
    try (TestFolder home = TestFolder.onTmpfs()) {
      long length = Seed.isLong() ? 4L << 30 : 1L << 30;
      byte[] piece = new byte[1 << 20];
      Arrays.fill(piece, (byte) 'q');
      try (OutputStream out = Files.newOutputStream(home.resolve(TOPIC + ".jsonl"))) {
        for (long written = 0; written < length; written += piece.length) {
          out.write(piece);
        }
        out.write(("\n" + LINE).getBytes(US_ASCII));
      }
      List<String> command =
          new ArrayList<>(
              TestProcess.java(
                  ReaderMain.class, List.of(home.path().toString(), "long", "1048576")));
      command.add(1, "-Xmx24m");
      try (TestProcess reader = new TestProcess(home, "reader", command)) {
        reader.finish();
        assertThat(reader.lines()).singleElement().asString().startsWith("read 0 damage 1 ");
      }
    }
  }
}
