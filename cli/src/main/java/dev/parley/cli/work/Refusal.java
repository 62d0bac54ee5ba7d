package dev.parley.cli.work;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.work.RefusedException;
import dev.parley.json.RefusalJson;
import dev.parley.text.Explanation;
import dev.parley.text.NextSteps;

/** Prints a refused request. */
final class Refusal {
  private Refusal() {}

  /**
   * For programs one object with the refusal, who is in the way, and the fields of every error; for
   * people like every error.
   *
   * @param what the name of the field that is false, such as {@code granted}
   */
  static int answer(Invocation invocation, String what, RefusedException refused) {
    int exitCode =
        refused.code().equals("timed-out") ? ExitCode.TIMED_OUT : ExitCode.of(refused.kind());
    Explanation why = Explanation.of(refused, NextSteps.SHELL, Times.shownBy(invocation.out()));
    if (!invocation.out().isJson()) {
      invocation.notices().say(why.message());
      invocation.notices().line(why.next());
      return exitCode;
    }
    invocation.out().line(RefusalJson.of(what, refused, why));
    return exitCode;
  }
}
