package dev.parley.cli.agents;

import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.RunListener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of agents that is redrawn in place: each agent's stage, time and usage. Remarks stay
 * above it.
 *
 * <p>The table is never higher than the terminal, because the cursor can't go back to lines that
 * have left the screen. Whoever is being asked comes first.
 */
final class LiveAgents implements RunListener, AutoCloseable {
  private static final int REDRAW_MILLIS = 250;
  private static final String ERASE_LINE = "\033[K";
  private static final String ERASE_BELOW = "\033[J";

  /** Between these, a terminal cuts a line that is too long, and does not continue it. */
  private static final String CUT_ON = "\033[?7l";

  private static final String CUT_OFF = "\033[?7h";

  /** The table's row for one agent. */
  private static final class Row {
    String state = "";
    long since = System.nanoTime();
    long millis = -1;
    long tokens = -1;

    boolean isAsked() {
      return millis < 0;
    }
  }

  private final OutputStream err;
  private final int width;
  private final int height;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Thread redraw;
  private int drawn;
  private boolean resting;
  private boolean closed;

  private LiveAgents(OutputStream err, int width, int height) {
    this.err = err;
    this.width = Math.max(20, width);
    this.height = Math.max(4, height);
    this.redraw = Thread.ofPlatform().daemon().name("live").unstarted(this::redraw);
  }

  static LiveAgents start(OutputStream err, int width, int height) {
    LiveAgents live = new LiveAgents(err, width, height);
    live.redraw.start();
    return live;
  }

  @Override
  public synchronized void on(RunEvent event) {
    resting = false;
    switch (event) {
      case RunEvent.Asked asked -> {
        Row row = rows.computeIfAbsent(asked.agent(), name -> new Row());
        row.state = asked.stage() + " …";
        row.since = System.nanoTime();
        row.millis = -1;
      }
      case RunEvent.Answered answered -> answered(answered);
      case RunEvent.Said said -> {
        write(up() + Printable.text(said.text()) + ERASE_LINE + "\n");
        drawn = 0;
      }
    }
    draw();
  }

  /** Stops drawing until the next event, because the user is asked a question meanwhile. */
  synchronized void rest() {
    draw();
    drawn = 0;
    resting = true;
  }

  private void answered(RunEvent.Answered answered) {
    Answer answer = answered.answer();
    Row row = rows.computeIfAbsent(answer.agent(), name -> new Row());
    row.state =
        answered.stage()
            + ": "
            + AnswerText.status(answer.status()).replace('_', ' ')
            + (answer.error().isEmpty() ? "" : ": " + answer.error());
    row.millis = answer.duration().toMillis();
    if (answer.usage().tokens() >= 0) {
      row.tokens = Math.max(0, row.tokens) + answer.usage().tokens();
    }
  }

  private void redraw() {
    try {
      while (true) {
        synchronized (this) {
          if (closed) {
            return;
          }
          draw();
          wait(REDRAW_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      // Nothing interrupts this thread; the table stays as drawn.
    }
  }

  private void draw() {
    if (rows.isEmpty() || resting || closed) {
      return;
    }
    Table table = new Table();
    int most = height - 2; // one line for those left out, one for the cursor
    rows.entrySet().stream()
        .sorted(Comparator.comparing(each -> !each.getValue().isAsked()))
        .limit(rows.size() <= most ? rows.size() : most)
        .forEach(each -> row(table, each.getKey(), each.getValue()));
    List<String> lines = new ArrayList<>();
    for (String line : table.lines()) {
      lines.add(line.length() < width ? line : line.substring(0, width - 1));
    }
    if (rows.size() > most) {
      lines.add("… and " + (rows.size() - most) + " more agents");
    }
    // Line by line: tmux keeps a copy of a screen that is erased as a whole.
    StringBuilder text = new StringBuilder(up()).append(CUT_ON);
    lines.forEach(line -> text.append(line).append(ERASE_LINE).append('\n'));
    write(text.append(CUT_OFF).append(ERASE_BELOW).toString());
    drawn = lines.size();
  }

  private static void row(Table table, String agent, Row row) {
    long millis = row.isAsked() ? (System.nanoTime() - row.since) / 1_000_000 : row.millis;
    String tokens = row.tokens < 0 ? "" : row.tokens + " tokens";
    table.row(agent, AnswerText.seconds(millis), tokens, Printable.text(row.state));
  }

  private String up() {
    return (drawn == 0 ? "" : "\033[%dA".formatted(drawn)) + "\r";
  }

  private void write(String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      closed = true; // the output is closed
    }
  }

  /** Leaves the last table on the screen. */
  @Override
  public synchronized void close() {
    draw();
    closed = true;
    notifyAll();
  }
}
