package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The answer of a command: lines of text for people, or one JSON object a line for programs.
 *
 * <p>All methods throw {@link ClosedOutputException} when nobody reads any more. Text given to it
 * is printed as it is: what others wrote goes through {@link Printable} first. In JSON that is done
 * here: it means the same afterwards.
 */
public final class Output {
  private static final byte[] NEWLINE = {'\n'};

  /** The least width assumed for a terminal that is narrower or reports nonsense. */
  private static final int NARROWEST = 20;

  private final OutputStream out;
  private final boolean json;
  private final boolean colored;
  private final boolean terminal;
  private final Devices devices;
  private int width;

  /**
   * @param terminal whether a person watches; then every line is flushed
   * @param devices tell the width of the terminal; asked at most once
   */
  public Output(
      OutputStream out, boolean json, boolean colored, boolean terminal, Devices devices) {
    this.devices = devices;
    this.out = new BufferedOutputStream(out, 1 << 14);
    this.json = json;
    this.colored = colored;
    this.terminal = terminal;
  }

  public boolean isJson() {
    return json;
  }

  public boolean isTerminal() {
    return terminal;
  }

  public boolean isColored() {
    return colored;
  }

  /** The width of a line: the terminal's; unlimited elsewhere. */
  public int width() {
    if (width == 0) {
      width = terminal && !json ? Math.max(NARROWEST, devices.width()) : Integer.MAX_VALUE;
    }
    return width;
  }

  public String styled(Style style, String text) {
    return colored ? style.around(text) : text;
  }

  public void line(String text) {
    line(text.getBytes(StandardCharsets.UTF_8));
  }

  public void line(Json value) {
    line(value.toString());
  }

  public void line(byte[] utf8) {
    try {
      out.write(json ? Printable.json(utf8) : utf8);
      out.write(NEWLINE);
    } catch (IOException e) {
      throw failed(e);
    }
    if (terminal) {
      flush();
    }
  }

  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static RuntimeException failed(IOException cause) {
    String reason = String.valueOf(cause.getMessage());
    if (reason.contains("Broken pipe") || reason.contains("Connection reset")) {
      return new ClosedOutputException(cause);
    }
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "output-failed",
        "The answer could not be printed: " + reason + ".",
        "Check where the output goes. The command itself has finished: do not repeat it.",
        cause);
  }
}
