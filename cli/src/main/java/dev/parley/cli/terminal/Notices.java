package dev.parley.cli.terminal;

import dev.parley.core.Report;
import dev.parley.core.Reporter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What is said beside the answer, on stderr. Never fails: there is nowhere left to complain. */
public final class Notices implements Reporter {
  private static final String ERASE_LINE = "\r\033[K";

  private final OutputStream err;
  private final boolean terminal;
  private boolean progressShown;

  public Notices(OutputStream err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  /** Says something in the name of the program. */
  public void say(String text) {
    line("parley: " + Printable.text(text));
  }

  public synchronized void line(String text) {
    clearProgress();
    write(text + "\n");
  }

  @Override
  public void report(Report report) {
    say(report.describe());
  }

  /** Shows how far something is, in a line that the next one replaces; only to people. */
  public synchronized void progress(String text) {
    if (terminal) {
      write(ERASE_LINE + Printable.text(text));
      progressShown = true;
    }
  }

  public synchronized void clearProgress() {
    if (progressShown) {
      write(ERASE_LINE);
      progressShown = false;
    }
  }

  private void write(String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // Nobody is there to be told.
    }
  }
}
