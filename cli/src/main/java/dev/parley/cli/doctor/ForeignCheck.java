package dev.parley.cli.doctor;

import dev.parley.cli.command.Invocation;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.mount.Mount;
import dev.parley.dialects.mount.Mounts;
import dev.parley.dialects.mount.OverwrittenLock;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.health.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Checks the mounted files of other tools. */
final class ForeignCheck {
  private static final String CLOBBERED = "lock-clobbered";

  private ForeignCheck() {}

  /** Reports unreadable content and overwritten locks; false if something is wrong. */
  static boolean run(
      Invocation invocation, BusFolder bus, Consumer<Finding> tally, Consumer<Finding> findings) {
    List<Finding> found = new ArrayList<>();
    try (Mounts mounts = new Mounts(bus, invocation.notices(), remark -> {})) {
      mounts.describedOnly().stream().map(mount -> described(bus, mount)).forEach(found::add);
      mounts.examine().stream()
          .filter(remark -> !remark.understood())
          .map(ForeignCheck::finding)
          .forEach(found::add);
      found.addAll(clobbered(mounts.clobberedLocks()));
    }
    found.forEach(tally.andThen(findings));
    return found.stream().noneMatch(Finding::isOpen);
  }

  private static Finding described(BusFolder bus, Mount mount) {
    return Finding.note(
        "mount-not-made",
        Finding.Place.of(bus.path().resolve("mounts.jsonl")),
        "The log describes a mount of "
            + mount.path()
            + " as "
            + mount.name()
            + " that you did not create here. It has no effect.");
  }

  private static Finding finding(FileRemark remark) {
    String reason = remark.reason();
    String what =
        remark.line() > 0
            ? "Line " + remark.line() + ": " + reason
            : reason.substring(0, 1).toUpperCase(Locale.ROOT) + reason.substring(1);
    String end = what.endsWith(".") ? " It was left unchanged." : ". It was left unchanged.";
    return Finding.problem("foreign-file", Finding.Place.of(remark.file()), what + end, null);
  }

  /**
   * A lock that two may believe they hold is a problem. Of those that are over, only the last is
   * noted.
   */
  private static List<Finding> clobbered(List<OverwrittenLock> locks) {
    List<Finding> found = new ArrayList<>();
    Map<Path, List<OverwrittenLock>> over = new LinkedHashMap<>();
    for (OverwrittenLock lock : locks) {
      Path file = lock.mount().path().resolve("locks.json");
      if (lock.lasts()) {
        String told = lock.what() + " Both agents were notified (" + lock.place() + ").";
        found.add(Finding.problem(CLOBBERED, Finding.Place.of(file), told, null));
      } else {
        over.computeIfAbsent(file, path -> new ArrayList<>()).add(lock);
      }
    }
    over.forEach((file, all) -> found.add(past(file, all)));
    return found;
  }

  private static Finding past(Path file, List<OverwrittenLock> all) {
    OverwrittenLock last = all.getLast();
    return Finding.note(
        CLOBBERED,
        Finding.Place.of(file),
        (all.size() == 1 ? "A lock was" : all.size() + " locks were")
            + " overwritten or dropped by a program that ignores the mutex, the last at "
            + last.place()
            + ": "
            + last.what()
            + " All: parley tail "
            + last.mount().topic()
            + " --type LOCK_CLOBBERED");
  }
}
