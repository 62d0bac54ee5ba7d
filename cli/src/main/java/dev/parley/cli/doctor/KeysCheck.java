package dev.parley.cli.doctor;

import dev.parley.core.Damage;
import dev.parley.core.keys.SignaturePolicy.Rejection;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.keys.OwnerKeyDecisions;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Finds lines that do not count on a bus that requires signatures. */
final class KeysCheck {
  private KeysCheck() {}

  /** Reports each such line; false if there is one. */
  static boolean run(BusFolder bus, Consumer<Finding> findings) {
    if (bus.owner() == null) {
      return true;
    }
    List<String> reasons = Arrays.stream(Rejection.values()).map(Rejection::words).toList();
    boolean healthy = true;
    try (FileLog log = bus.openLog()) {
      for (Damage damage : new OwnerKeyDecisions(bus, log).verify()) {
        if (reasons.contains(damage.reason())) {
          healthy = false;
          findings.accept(finding(log, damage));
        }
      }
    }
    return healthy;
  }

  private static Finding finding(FileLog log, Damage damage) {
    Finding.Place place =
        new Finding.Place(
            log.file(damage.topic()), damage.topic(), damage.offset().value(), damage.length());
    String message = "This line decides nothing: " + damage.reason() + ".";
    return Finding.problem("bad-signature", place, message, null);
  }
}
