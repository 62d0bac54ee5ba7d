package dev.parley.cli;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.text.Explanation;
import dev.parley.text.NextSteps;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a failed command reports its error. */
record Failure(int exitCode, String code, String message, @Nullable String next) {
  private static final String SEE_WHERE = " (PARLEY_DEBUG=1 shows where)";

  /**
   * @param times formats times: in UTC for programs, in local time for people
   */
  static Failure of(Throwable error, Function<Instant, String> times) {
    if (error instanceof ParleyException known) {
      Explanation why = Explanation.of(known, NextSteps.SHELL, times);
      return new Failure(ExitCode.of(known.kind()), known.code(), why.message(), why.next());
    }
    if (error instanceof IOException io) {
      return ofFile(io);
    }
    return new Failure(
        ExitCode.FAILED, "internal-error", "internal error: " + error + SEE_WHERE, null);
  }

  /** The failure of a file that the user named. */
  private static Failure ofFile(IOException error) {
    if (error instanceof NoSuchFileException) {
      return new Failure(
          ExitCode.REFUSED,
          "no-such-file",
          "No such file: " + error.getMessage(),
          "Check the path and its spelling.");
    }
    if (error instanceof AccessDeniedException) {
      return new Failure(
          ExitCode.FAILED,
          "no-permission",
          "Permission denied: " + error.getMessage(),
          "Check the owner and the mode of the file and of its folder.");
    }
    if (String.valueOf(error.getMessage()).endsWith("Is a directory")) {
      return new Failure(
          ExitCode.FAILED,
          "is-a-folder",
          "A folder was named where a file is needed: " + error.getMessage() + ".",
          "Name a file.");
    }
    return new Failure(
        ExitCode.FAILED,
        "io-error",
        "Reading or writing failed: " + error.getMessage() + ".",
        "Check that the folder exists, that you may write there, and that the disk has room.");
  }

  /** Prints the stack trace if the user asked for it. */
  static void trace(Throwable error, Notices notices) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace, true));
    trace.toString().lines().forEach(line -> notices.line(Printable.text(line)));
  }

  /** Prints two lines on stderr for people, or one JSON object on stdout for programs. */
  void print(Output out, Notices notices) {
    try {
      if (out.isJson()) {
        out.line(
            Json.object().put("error", code).put("message", message).put("next", next).build());
      }
      out.flush();
      if (out.isJson()) {
        return;
      }
    } catch (RuntimeException e) {
      // Stdout may be what failed, so stderr is used.
    }
    notices.say(message);
    if (next != null && !next.isEmpty()) {
      notices.line(Printable.text(next));
    }
  }
}
