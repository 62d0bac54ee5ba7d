package dev.parley.coordination.fold;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that is killed while it folds a long backlog leaves what it has done to the next. */
class KilledFoldTest {
  private static final int LINES = 30_000;
  private static final Pattern POSITION = Pattern.compile("\"position\":(\\d+)");

  @TempDir private Path temporary;

  /** Folds the ledger of the bus at a path. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) {
      Path folder = Path.of(args[0]);
      BusFolder bus = BusFolder.find(folder, folder, System.getenv());
      try (FileLog log = bus.openLog()) {
        var _ = new FoldReader<>(log, bus.views(), report -> {}, Ledger.KIND).refresh();
      }
    }
  }

  @Test
  void eachOneGoesOnWhereTheLastWasKilled() throws IOException {
    Path folder = temporary.toRealPath().resolve("bus");
    var _ = BusFolder.init(folder, folder, Map.of());
    StringBuilder lines = new StringBuilder();
    // Under old rules, which bound nothing: each line takes longer than the one before.
    for (NastyLines.Line line : NastyLines.WILD_LEASES.lines(LINES, 1)) {
      lines.append(line.text()).append('\n');
    }
    Path ledger = folder.resolve("ledger.jsonl");
    Files.writeString(ledger, lines, UTF_8);

    long before = 0;
    for (int i = 0; i < 3; i++) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  folder.toString())
              .inheritIO()
              .start();
      long last = before;
      try {
        Awaitility.await("a view that is further on")
            .atMost(Duration.ofMinutes(2))
            .pollInterval(Duration.ofMillis(10))
            .until(() -> position(folder) > last);
        assertThat(process.isAlive()).as("killed half-way").isTrue();
      } finally {
        process.destroyForcibly();
        process.onExit().join();
      }
      before = position(folder);
    }

    assertThat(before).isPositive().isLessThan(Files.size(ledger));
  }

  /** How far the view has come; 0 if there is none. */
  private static long position(Path folder) throws IOException {
    Path views = folder.resolve("views");
    if (!Files.isDirectory(views)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(views)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().matches("ledger-\\d+\\.json")) {
          Matcher matcher = POSITION.matcher(Files.readString(file, UTF_8));
          return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
        }
      }
    }
    return 0;
  }
}
