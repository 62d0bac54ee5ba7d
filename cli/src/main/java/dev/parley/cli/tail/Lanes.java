package dev.parley.cli.tail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.text.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows events, with a lane and a colour for each agent. */
public final class Lanes {
  private static final List<Style> STYLES =
      List.of(Style.CYAN, Style.GREEN, Style.YELLOW, Style.MAGENTA, Style.BLUE, Style.BOLD);

  /** With more lanes, names are easier to tell apart. */
  private static final int MOST_LANES = 8;

  /** A narrower terminal has no room for lanes, nor for the position of the envelope. */
  private static final int NARROW = 70;

  private static final int USUAL_WIDTH = 100;
  private static final int LONGEST_NAME = 16;

  /** What is longer is told in part: parley show has all of it. */
  private static final int LONGEST_TEXT = 500;

  private final Output out;
  private final List<String> cast;
  private final boolean drawn;
  private final boolean timed;
  private int name;

  /**
   * Lanes for those who take part; whoever else comes gets one when seen first.
   *
   * @param drawn whether lanes are drawn, or lines begin with the name
   * @param timed whether lines say when it was
   */
  public Lanes(Output out, Collection<String> cast, boolean drawn, boolean timed) {
    this.out = out;
    this.cast = new ArrayList<>(cast);
    this.drawn = drawn;
    this.timed = timed;
    cast.forEach(this::makeRoom);
  }

  /** Whether lanes are drawn by default. */
  static boolean fit(Output out) {
    return out.width() >= NARROW;
  }

  private void makeRoom(String agent) {
    name = Math.max(name, Math.min(LONGEST_NAME, agent.length()));
  }

  public void print(Event whole) {
    Event event = whole.saying(shortened(whole.text()));
    if (out.isJson()) {
      Instant at = event.at();
      out.line(
          Json.object()
              .put("agent", event.agent())
              .put("text", event.text())
              .put("type", event.type())
              .put("bad", event.bad())
              .put("task", event.task())
              .put("timestamp", at == null ? null : Timestamps.format(at))
              .put("envelope", event.proof())
              .build());
      return;
    }
    int lane = cast.indexOf(event.agent());
    if (lane < 0) {
      lane = cast.size();
      cast.add(event.agent());
      makeRoom(event.agent());
    }
    Style style = event.bad() ? Style.RED : STYLES.get(lane % STYLES.size());
    String before = time(event.at()) + lanes(lane, event.bad());
    String proof = out.width() < NARROW ? "" : "  " + event.proof();
    String text =
        Table.pad(Printable.text(event.agent()), name) + "  " + Printable.text(event.text());
    int room = Math.min(out.width(), Math.max(USUAL_WIDTH, widthOf(text, before, proof)));
    String shown = cut(text, room - before.length() - proof.length());
    out.line(
        out.styled(Style.DIM, time(event.at()))
            + lanes(lane, event.bad())
            + out.styled(style, shown)
            + out.styled(Style.DIM, proof));
  }

  private static String shortened(String text) {
    if (text.length() <= LONGEST_TEXT) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LONGEST_TEXT - 1)) ? 1 : 0;
    return text.substring(0, LONGEST_TEXT - end) + "…";
  }

  private static int widthOf(String text, String before, String proof) {
    return before.length() + text.length() + proof.length();
  }

  /** A text for a column, cut to the width. */
  private static String cut(String text, int room) {
    return text.length() <= room
        ? Table.pad(text, Math.min(room, USUAL_WIDTH))
        : text.substring(0, Math.max(1, room - 1)) + "…";
  }

  private String time(@Nullable Instant at) {
    return timed && at != null ? Times.system().clock(at) + " " : "";
  }

  private String lanes(int lane, boolean bad) {
    String mark = bad ? "✗ " : drawn ? "● " : "";
    if (!drawn) {
      return bad ? mark : "  ";
    }
    StringBuilder lanes = new StringBuilder();
    int shown = Math.min(MOST_LANES, cast.size());
    for (int i = 0; i < shown; i++) {
      lanes.append(i == Math.min(lane, MOST_LANES - 1) ? mark : "│ ");
    }
    return lanes.toString();
  }
}
