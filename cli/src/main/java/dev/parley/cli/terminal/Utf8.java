package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Decodes text strictly. */
public final class Utf8 {
  private static final char REPLACEMENT = '\ufffd';

  private Utf8() {}

  /**
   * The text of some bytes.
   *
   * @param what their source for errors, such as "stdin"
   * @throws ParleyException INVALID if the bytes are not UTF-8, because replacement would lose data
   */
  public static String decode(String what, byte[] utf8) {
    String text = new String(utf8, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), utf8)) {
      throw ParleyException.invalid(
          "not-utf8",
          "What came from " + what + " is not text in UTF-8.",
          "Convert it first, such as with iconv -f latin1 -t utf-8.");
    }
    return text;
  }
}
