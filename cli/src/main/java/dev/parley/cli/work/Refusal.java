package dev.parley.cli.work;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How a request that was decided against is answered. */
final class Refusal {
  private Refusal() {}

  /**
   * For programs one object that says no, who is in the way, and what every error says; for people
   * as every error.
   *
   * @param what what it is called that was not given, such as {@code granted}
   */
  static int answer(Invocation invocation, String what, RefusedException refused) {
    int exitCode =
        refused.code().equals("timed-out") ? ExitCode.TIMED_OUT : ExitCode.of(refused.kind());
    if (!invocation.out().isJson()) {
      invocation.notices().say(inOurTime(refused));
      invocation.notices().line(refused.next());
      return exitCode;
    }
    Json.ObjectBuilder answer = Json.object().put(what, false);
    for (Map.Entry<String, Json> field : refused.details().fields().entrySet()) {
      answer.put(field.getKey(), field.getValue());
    }
    invocation
        .out()
        .line(
            answer
                .put("error", refused.code())
                .put("message", refused.what())
                .put("next", refused.next())
                .build());
    return exitCode;
  }

  /** The ledger speaks of times as everyone has them; people want theirs. */
  private static String inOurTime(RefusedException refused) {
    Fields details = Fields.of(refused.details());
    Times times = Times.system();
    String text = refused.what();
    for (String field : List.of("since", "until")) {
      String written = details.text(field);
      Instant time = details.time(field);
      text = written == null || time == null ? text : text.replace(written, times.show(time));
    }
    return text;
  }
}
