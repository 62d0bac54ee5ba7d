package dev.parley.core;

import java.util.function.Function;

/** Where reports go. Called by any thread; must not throw. */
@FunctionalInterface
public interface Reporter {
  /** Writes each report as a warning to the platform's log. */
  Reporter TO_LOG = toLog(error -> String.valueOf(error.getMessage()));

  /**
   * The same with other words for errors.
   *
   * @param words says what an error means
   */
  static Reporter toLog(Function<Exception, String> words) {
    return report ->
        System.getLogger("dev.parley").log(System.Logger.Level.WARNING, report.describe(words));
  }

  void report(Report report);
}
