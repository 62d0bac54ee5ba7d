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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of agents that is redrawn in place: each agent's stage, time and usage. Remarks stay
 * above it.
 */
final class LiveAgents implements RunListener, AutoCloseable {
  private static final int REDRAW_MILLIS = 250;
  private static final String ERASE = "\r\033[J";

  /** The table's row for one agent. */
  private static final class Row {
    String state = "";
    long since = System.nanoTime();
    long millis = -1;
    long tokens = -1;
  }

  private final OutputStream err;
  private final int width;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Thread redraw;
  private int drawn;
  private boolean resting;
  private boolean closed;

  private LiveAgents(OutputStream err, int width) {
    this.err = err;
    this.width = Math.max(20, width);
    this.redraw = Thread.ofPlatform().daemon().name("live").unstarted(this::redraw);
  }

  static LiveAgents start(OutputStream err, int width) {
    LiveAgents live = new LiveAgents(err, width);
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
        write(up() + Printable.text(said.text()) + "\n");
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
    rows.forEach((agent, row) -> {
      long millis = row.millis >= 0 ? row.millis : (System.nanoTime() - row.since) / 1_000_000;
      String tokens = row.tokens < 0 ? "" : row.tokens + " tokens";
      table.row(agent, AnswerText.seconds(millis), tokens, Printable.text(row.state));
    });
    List<String> lines = new ArrayList<>();
    for (String line : table.lines()) {
      lines.add(line.length() < width ? line : line.substring(0, width - 1));
    }
    write(up() + String.join("\n", lines) + "\n");
    drawn = lines.size();
  }

  private String up() {
    return (drawn == 0 ? "" : "\033[%dA".formatted(drawn)) + ERASE;
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
