package dev.parley.core;

/** Where reports go. Called by any thread; must not throw. */
@FunctionalInterface
public interface Reporter {
  /** Writes each report as a warning to the platform's log. */
  Reporter TO_LOG =
      report -> System.getLogger("dev.parley").log(System.Logger.Level.WARNING, report.describe());

  void report(Report report);
}
