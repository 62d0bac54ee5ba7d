package dev.parley.cli.mail;

import dev.parley.cli.command.Invocation;
import dev.parley.core.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** Reads what somebody says: from the command line, from stdin or from a file. */
public final class Body {
  private Body() {}

  /** The text given; {@code -} reads stdin, up to what a line of the bus takes. */
  public static String read(Invocation invocation, Limits limits, String text) throws IOException {
    return text.equals("-") ? read(invocation.shell().in(), limits) : text;
  }

  /** The text in a file; {@code -} reads stdin, up to what a line of the bus takes. */
  public static String file(Invocation invocation, Limits limits, String option, String file)
      throws IOException {
    if (file.equals("-")) {
      return read(invocation.shell().in(), limits);
    }
    try (InputStream in = Files.newInputStream(invocation.path(option, file))) {
      return read(in, limits);
    }
  }

  private static String read(InputStream in, Limits limits) throws IOException {
    // One byte more than a line takes is enough to see that it is too long.
    byte[] utf8 = in.readNBytes(limits.line() + 1);
    if (utf8.length > limits.line()) {
      throw limits.tooLong(utf8.length);
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
