package dev.parley.cli.mail;

import dev.parley.cli.command.Invocation;
import dev.parley.core.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads what a message says: from the command line, or from stdin. */
public final class Body {
  private Body() {}

  /** The text given; {@code -} reads stdin, up to what a line of the bus takes. */
  public static String read(Invocation invocation, Limits limits, String text) throws IOException {
    if (!text.equals("-")) {
      return text;
    }
    // One byte more than a line takes is enough to see that it is too long.
    byte[] utf8 = invocation.shell().in().readNBytes(limits.line() + 1);
    if (utf8.length > limits.line()) {
      throw limits.tooLong(utf8.length);
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
