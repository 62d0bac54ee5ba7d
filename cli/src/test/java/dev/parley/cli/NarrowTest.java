package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.BusyBus;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables fit a pane of 40 columns, and times have one form. */
class NarrowTest {
  private static final int WIDTH = 40;

  /** Commands that print tables or lists. */
  private static final List<String> SHOWING =
      List.of(
          "who",
          "inbox list",
          "inbox sent",
          "inbox dead",
          "inbox held",
          "task list",
          "task show mine",
          "task show 1.2",
          "locks list",
          "waits",
          "board list",
          "bulletin list",
          "topics",
          "watch --once",
          "mount list",
          "mount list --check",
          "mount show swarm",
          "flow",
          "runs",
          "agents",
          "config");

  /** A time of day with seconds, or a whole date: text has neither. */
  private static final Pattern LONG_TIME =
      Pattern.compile("\\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT");

  @TempDir private Path folder;
  private BusyBus bus;

  @BeforeEach
  void everythingHasHappened() throws Exception {
    bus = BusyBus.in(folder);
    bus.ok("ann", "mount add swarm .swarm");
  }

  @Test
  void tablesFitInFortyColumns() throws IOException {
    for (String line : SHOWING) {
      Answer answer = bus.trial().onATerminal(WIDTH).run(bus.words(line).toArray(String[]::new));
      assertThat(answer.exitCode()).as(line + answer).isIn(0, 1);
      for (String shown : answer.lines()) {
        String plain = shown.replaceAll("\033\\[[0-9;]*m", "");
        assertThat(plain.codePointCount(0, plain.length()))
            .as(line + ": " + plain)
            .isLessThanOrEqualTo(WIDTH);
      }
    }
  }

  /** What does not fit as a table is a list, in which each value has its name. */
  @Test
  void aListSaysWhatEachValueIs() {
    String who = bus.trial().onATerminal(WIDTH).run("who", "--color", "never").out();

    assertThat(who)
        .containsPattern("ann\n  presence here, status working, task\n  mine, heard \\d+ s ago\n");
    assertThat(who).doesNotContain("PRESENCE", " - ");
  }

  @Test
  void timesAreAClockOrAnAgeForPeopleAndFullWithTheirZoneForPrograms() {
    for (String line : SHOWING) {
      String text = bus.trial().run(bus.words(line).toArray(String[]::new)).out();
      assertThat(
              LONG_TIME.matcher(text).results().map(found -> around(text, found.start())).toList())
          .as(line)
          .isEmpty();
      String json = bus.trial().run(bus.words(line + " --json").toArray(String[]::new)).out();
      assertThat(json).as(line).doesNotContainPattern("\"\\d\\d:\\d\\d\"|\"[^\"]* ago\"");
      assertThat(json).as(line).doesNotContainPattern("\"\\d{4}-\\d\\d-\\d\\d[T ][0-9:.]+\"");
    }
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 30), Math.min(text.length(), at + 30));
  }
}
