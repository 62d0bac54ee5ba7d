package dev.parley.mcp.wake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Types a notice into the tmux pane that an agent's host runs in: the last way, for hosts that
 * offer no other. What is typed may go anywhere, so every step is verified by reading the pane:
 *
 * <ol>
 *   <li>the screen stands still: the host is idle;
 *   <li>nobody has typed anything where the cursor is: people first;
 *   <li>the whole notice appears, and nothing but a prompt before it: what is open is a field for
 *       text, and no dialog that Enter would answer;
 *   <li>only then Enter is typed, and the screen changes.
 * </ol>
 */
public final class TmuxPane implements WakeCall {
  private static final int STILL_MILLIS = 1_000;
  private static final int LOOKS = 30;
  private static final int LOOK_MILLIS = 100;
  private static final int PATIENCE_SECONDS = 5;

  private final List<String> program;
  private final String pane;

  /**
   * @param pane its id, as in TMUX_PANE
   */
  public TmuxPane(String pane) {
    this(List.of("tmux"), pane);
  }

  TmuxPane(List<String> program, String pane) {
    this.program = program;
    this.pane = pane;
  }

  @Override
  public void wake(String notice) throws InterruptedException, CannotWakeException {
    String before = screen();
    Thread.sleep(STILL_MILLIS);
    if (!screen().equals(before)) {
      throw new CannotWakeException("pane-busy");
    }
    if (hasText(cursorLine())) {
      throw new CannotWakeException("person-is-typing");
    }
    tmux("send-keys", "-t", pane, "-l", notice);
    String typed = awaitScreen(screen -> packed(screen).contains(packed(notice)));
    if (typed.isEmpty()) {
      throw new CannotWakeException("pane-takes-no-text");
    }
    if (hasText(lineBefore(typed, notice))) {
      for (int i = 0; i < notice.length(); i++) {
        tmux("send-keys", "-t", pane, "BSpace");
      }
      throw new CannotWakeException("person-is-typing");
    }
    tmux("send-keys", "-t", pane, "Enter");
    if (awaitScreen(screen -> !screen.equals(typed)).isEmpty()) {
      throw new CannotWakeException("pane-unchanged");
    }
  }

  private interface Wanted {
    boolean is(String screen);
  }

  /** Waits for a screen; empty if it does not appear in time. */
  private String awaitScreen(Wanted wanted) throws InterruptedException, CannotWakeException {
    for (int i = 0; i < LOOKS; i++) {
      String screen = screen();
      if (wanted.is(screen)) {
        return screen;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return "";
  }

  private String screen() throws InterruptedException, CannotWakeException {
    return tmux("capture-pane", "-p", "-t", pane);
  }

  /** The text before the cursor in its line. */
  private String cursorLine() throws InterruptedException, CannotWakeException {
    String[] cursor =
        tmux("display-message", "-p", "-t", pane, "#{cursor_y} #{cursor_x} #{pane_in_mode}")
            .strip()
            .split(" ", -1);
    if (cursor.length < 3 || !cursor[2].equals("0")) {
      throw new CannotWakeException("person-is-typing");
    }
    List<String> lines = screen().lines().toList();
    int y = Integer.parseInt(cursor[0]);
    String line = y < lines.size() ? lines.get(y) : "";
    return line.substring(0, Math.min(line.length(), Integer.parseInt(cursor[1])));
  }

  /** The text before the notice in the line where the notice begins. */
  private static String lineBefore(String screen, String notice) {
    String begin = notice.substring(0, Math.min(notice.length(), 12));
    int at = screen.lastIndexOf(begin);
    return at < 0 ? "" : screen.substring(screen.lastIndexOf('\n', at) + 1, at);
  }

  private static boolean hasText(String text) {
    return text.codePoints().anyMatch(Character::isLetterOrDigit);
  }

  /** The text without what a line break or a frame puts between its words. */
  private static String packed(String text) {
    return text.codePoints()
        .filter(Character::isLetterOrDigit)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private String tmux(String... words) throws InterruptedException, CannotWakeException {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(words));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new CannotWakeException("no-such-pane");
      }
      return out;
    } catch (IOException e) {
      throw new CannotWakeException("no-tmux-command");
    }
  }
}
