package dev.parley.cli.command;

import dev.parley.dialects.Remark;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.Finding;
import java.util.function.Consumer;

/** Looks at the files of other tools that are mounted. */
final class ForeignCheck {
  private ForeignCheck() {}

  /** Tells what can't be read; false if there is such. */
  static boolean run(Invocation invocation, Consumer<Finding> tally, Consumer<Finding> findings) {
    boolean healthy = true;
    try (Mounts mounts = new Mounts(invocation.bus(), invocation.notices(), remark -> {})) {
      for (Remark remark : mounts.examine()) {
        if (!remark.understood()) {
          Finding finding = finding(remark);
          tally.accept(finding);
          findings.accept(finding);
          healthy = false;
        }
      }
    }
    return healthy;
  }

  private static Finding finding(Remark remark) {
    String where = remark.line() > 0 ? "Line " + remark.line() + ": " : "It ";
    return Finding.problem(
        "foreign-file",
        Finding.Place.of(remark.file()),
        where + remark.reason() + ". It was left as it is.",
        null);
  }
}
