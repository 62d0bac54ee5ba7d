package dev.parley.cli.demo;

import dev.parley.cli.demo.Flow.Beat;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.core.json.Json;
import java.util.List;

/** Shows what happens, each agent in a lane of its own. */
final class Lanes {
  private static final List<Style> STYLES =
      List.of(Style.BOLD, Style.CYAN, Style.GREEN, Style.YELLOW, Style.DIM);
  private static final int WIDTH = 78;

  private Lanes() {}

  static void print(Output out, Beat beat) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("agent", beat.agent())
              .put("text", beat.text())
              .put("envelope", beat.proof())
              .build());
      return;
    }
    int lane = Plot.CAST.indexOf(beat.agent());
    StringBuilder lanes = new StringBuilder();
    for (int i = 0; i < Plot.CAST.size(); i++) {
      lanes.append(i == lane ? (beat.bad() ? "✗ " : "● ") : "│ ");
    }
    Style style = beat.bad() ? Style.RED : lane < 0 ? Style.PLAIN : STYLES.get(lane);
    String text = Table.pad(Printable.text(beat.agent()), 6) + Printable.text(beat.text());
    out.line(
        lanes
            + out.styled(style, Table.pad(text, WIDTH))
            + "  "
            + out.styled(Style.DIM, beat.proof()));
  }
}
