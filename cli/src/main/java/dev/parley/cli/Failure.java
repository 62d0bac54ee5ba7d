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
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a command that could not do its work says so. */
record Failure(int exitCode, String code, String message, @Nullable String next) {
  private static final String SEE_WHERE = " (PARLEY_DEBUG=1 shows where)";

  /**
   * @param times how times are written: for programs in UTC, for people on their own clock
   */
  static Failure of(Throwable error, Function<Instant, String> times) {
    if (error instanceof ParleyException known) {
      Explanation why = Explanation.of(known, NextSteps.SHELL, times);
      return new Failure(ExitCode.of(known.kind()), known.code(), why.message(), why.next());
    }
    if (error instanceof IOException io) {
      String kind = io.getClass().getSimpleName().replace("Exception", "");
      return new Failure(
          ExitCode.FAILED,
          "io-error",
          "The disk did not do as it was told: " + io.getMessage() + " (" + kind + ").",
          "Look at that path: does it exist, may you write there, is there room?");
    }
    return new Failure(
        ExitCode.FAILED, "internal-error", "internal error: " + error + SEE_WHERE, null);
  }

  /** Shows where in the program it went wrong, for those who asked. */
  static void trace(Throwable error, Notices notices) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace, true));
    trace.toString().lines().forEach(line -> notices.line(Printable.text(line)));
  }

  /** For people two lines on stderr; for programs one object on stdout. */
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
      // Perhaps that is what failed before: stderr is left.
    }
    notices.say(message);
    if (next != null && !next.isEmpty()) {
      notices.line(Printable.text(next));
    }
  }
}
