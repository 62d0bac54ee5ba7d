package dev.parley.cli.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.Usage;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The live table as a terminal shows it. */
class LiveAgentsTest {
  private static final Pattern CODE = Pattern.compile("\033\\[(\\??[0-9]*)([A-Za-z])");

  /** What is on an endless screen; a line that the cursor can't go back to is an error. */
  private static List<String> screen(String written, int height) {
    List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    int row = 0;
    int column = 0;
    Matcher code = CODE.matcher(written);
    int at = 0;
    while (at < written.length()) {
      if (code.find(at) && code.start() == at) {
        at = code.end();
        switch (code.group(2)) {
          case "A" -> {
            row -= Integer.parseInt(code.group(1));
            assertThat(lines.size() - row).as("lines back").isLessThanOrEqualTo(height);
          }
          case "K" -> lines.get(row).setLength(Math.min(column, lines.get(row).length()));
          case "J" -> {
            lines.subList(row + 1, lines.size()).clear();
            lines.get(row).setLength(Math.min(column, lines.get(row).length()));
          }
          default -> assertThat(code.group()).isIn("\033[?7l", "\033[?7h");
        }
        continue;
      }
      char c = written.charAt(at++);
      if (c == '\n') {
        row++;
        column = 0;
        if (row == lines.size()) {
          lines.add(new StringBuilder());
        }
      } else if (c == '\r') {
        column = 0;
      } else {
        StringBuilder line = lines.get(row);
        line.replace(column, Math.min(column + 1, line.length()), String.valueOf(c));
        column++;
      }
    }
    return lines.stream().map(StringBuilder::toString).toList();
  }

  private static RunEvent answered(int number, String agent, String text, Usage usage) {
    return new RunEvent.Answered(
        number,
        "analysis",
        new Answer(
            agent, Answer.Status.FAILED, "", text, 1, Duration.ofMillis(1500), usage, 1, false),
        false);
  }

  @Test
  void itIsNoHigherThanTheTerminalAndShowsFirstWhoIsBeingAsked() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LiveAgents live = LiveAgents.start(out, 40, 10)) {
      for (int i = 1; i <= 20; i++) {
        live.on(new RunEvent.Asked(i, "agent-" + i, "analysis"));
      }
      for (int i = 1; i <= 15; i++) {
        live.on(answered(i, "agent-" + i, "no\033[2J credit ".repeat(20), new Usage(3, 4, -1)));
      }
      live.on(new RunEvent.Said("analysis: 5 of 20"));
    }

    List<String> lines = screen(out.toString(UTF_8), 10);

    assertThat(lines.getFirst()).isEqualTo("analysis: 5 of 20");
    assertThat(lines.subList(1, 6)).allMatch(line -> line.contains("analysis …"));
    assertThat(lines.get(6)).startsWith("agent-1 ").contains("1.5 s", "7 tokens");
    assertThat(lines.get(9)).isEqualTo("… and 12 more agents");
    assertThat(lines).hasSize(11).allMatch(line -> line.length() < 40);
  }

  @Test
  void aTableThatFitsIsShownWhole() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LiveAgents live = LiveAgents.start(out, 80, 24)) {
      live.on(new RunEvent.Asked(1, "ann", "analysis"));
      live.on(new RunEvent.Asked(2, "ben", "analysis"));
    }

    assertThat(screen(out.toString(UTF_8), 24)).hasSize(3).anyMatch(line -> line.startsWith("ben"));
  }
}
