package dev.parley.cli.terminal;

import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What is said beside the answer, on stderr. Never fails: there is nowhere left to complain.
 *
 * <p>Of what was passed over on the way (findings) the first few are told, and how many more there
 * were: a damaged topic of a million lines would bury the answer. A command that goes on for long
 * tells of the next few when it has said nothing for a minute.
 */
public final class Notices implements Reporter {
  private static final String ERASE_LINE = "\r\033[K";

  /** The default number of findings that are shown. */
  private static final int MOST_FINDINGS = 3;

  private static final String DOCTOR = "parley doctor";
  private static final long REST_NANOS = 60_000_000_000L;

  private final OutputStream err;
  private final boolean terminal;
  private boolean progressShown;
  private int mostFindings = MOST_FINDINGS;
  private int told;
  private long untold;
  private long lastTold;
  private String listedBy = DOCTOR;

  public Notices(OutputStream err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  /** Prints a notice. */
  public void say(String text) {
    line("parley: " + Printable.text(text));
  }

  public synchronized void line(String text) {
    clearProgress();
    write(text + "\n");
  }

  /** Sets how many findings are shown one by one. */
  public void tellAtMost(int findings) {
    mostFindings = findings;
  }

  @Override
  public void report(Report report) {
    if (report instanceof Report.Damaged
        || report instanceof Report.Gap
        || report instanceof Report.Repeated
        || report instanceof Report.Replaced) {
      finding(report, DOCTOR);
    } else {
      say(report.describe(Explanation::messageOf));
    }
  }

  private synchronized void finding(Report report, String command) {
    if (isTold(command)) {
      say(
          report.describe(
              Explanation
                  ::messageOf)); // described only now, because a million descriptions take time
    }
  }

  /**
   * Shows a finding, or only counts it.
   *
   * @param command the command that lists all findings of this kind
   */
  public synchronized void finding(String text, String command) {
    if (isTold(command)) {
      say(text);
    }
  }

  private boolean isTold(String command) {
    listedBy = command;
    if (told >= mostFindings) {
      if (System.nanoTime() - lastTold < REST_NANOS) {
        untold++;
        return false;
      }
      sumUp();
    }
    told++;
    lastTold = System.nanoTime();
    return true;
  }

  /** Prints how many findings were not shown, and the command that lists them. */
  public synchronized void sumUp() {
    if (untold > 0) {
      say("and " + untold + " more like this; " + listedBy + " lists all.");
    } else if (told > 0) {
      line(listedBy + " lists all that is wrong.");
    }
    told = 0;
    untold = 0;
  }

  /** Shows progress in a line that the next one replaces; only on a terminal. */
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
      // Nobody reads stderr.
    }
  }
}
