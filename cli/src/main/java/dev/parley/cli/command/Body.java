package dev.parley.cli.command;

import dev.parley.cli.args.Option;
import dev.parley.cli.terminal.Utf8;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.store.Contents;
import dev.parley.filelog.BusFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.IntFunction;

/** Reads a message body: from the command line, from stdin or from a file. */
public final class Body {
  private static final String STDIN = "stdin";

  private Body() {}

  /** The option for a body, the same for all commands. */
  public static Option option(String meaning) {
    return Option.value(
            "--body", "text", meaning + "; - reads stdin, which shows in no process list")
        .letter("-m");
  }

  /** The given text; {@code -} reads stdin, up to the limit of a line. */
  public static String read(Invocation invocation, Limits limits, String text) throws IOException {
    return text.equals("-")
        ? read(STDIN, invocation.shell().in(), limits.line(), limits::tooLong)
        : text;
  }

  /** The text of a file; {@code -} reads stdin, up to the limit of a line. */
  public static String file(Invocation invocation, Limits limits, String option, String file)
      throws IOException {
    if (file.equals("-")) {
      return read(invocation, limits, file);
    }
    Path path = invocation.path(option, file);
    if (Files.isDirectory(path)) {
      throw new FileSystemException(file, null, "Is a directory");
    }
    try (InputStream in = Files.newInputStream(path)) {
      return read(file, in, limits.line(), limits::tooLong);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(file); // as it was typed
    }
  }

  /** The given text; {@code -} reads stdin, up to the limit of a line and of content beside it. */
  public static String letter(Invocation invocation, BusFolder bus, String text)
      throws IOException {
    int most = Math.max(bus.contents().limit(), bus.limits().line());
    return text.equals("-")
        ? read(STDIN, invocation.shell().in(), most, length -> Contents.tooLong(most))
        : text;
  }

  private static String read(
      String name, InputStream in, int most, IntFunction<ParleyException> tooLong)
      throws IOException {
    // One byte over the limit is enough to detect that it is too long.
    byte[] utf8 = in.readNBytes(most + 1);
    if (utf8.length > most) {
      throw tooLong.apply(utf8.length);
    }
    return Utf8.decode(name, utf8);
  }
}
