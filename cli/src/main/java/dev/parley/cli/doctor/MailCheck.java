package dev.parley.cli.doctor;

import dev.parley.coordination.mail.ForgedReceipts;
import dev.parley.core.Envelope;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import java.util.function.Consumer;

/** Finds receipts that another session wrote than the mail's recipient. */
final class MailCheck {
  /** How many are named; the others are only counted. */
  private static final int MOST_NAMED = 100;

  private MailCheck() {}

  /** Reports such receipts. */
  static void run(BusFolder bus, Consumer<Finding> findings) {
    int[] count = {0};
    try (FileLog log = bus.openLog()) {
      ForgedReceipts.run(
          log,
          line -> {
            count[0]++;
            if (count[0] <= MOST_NAMED) {
              findings.accept(finding(log, line));
            }
          });
    }
    if (count[0] > MOST_NAMED) {
      findings.accept(
          Finding.note(
              "receipt-of-another",
              Finding.Place.of(bus.path()),
              (count[0] - MOST_NAMED) + " more receipts of others."));
    }
  }

  private static Finding finding(FileLog log, Envelope line) {
    String place = line.position().in(line.topic());
    long length = line.toLine().length;
    return Finding.note(
        "receipt-of-another",
        new Finding.Place(
            log.file(line.topic()),
            line.topic(),
            Math.max(0, line.position().value() - length - 1),
            length),
        "The line "
            + place
            + " ("
            + line.type()
            + ") by "
            + line.sender()
            + " is a receipt for another agent's mail. To undo it: parley doctor --undo "
            + place
            + " --reason \"…\"");
  }
}
