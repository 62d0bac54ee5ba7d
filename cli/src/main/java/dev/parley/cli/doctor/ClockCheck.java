package dev.parley.cli.doctor;

import dev.parley.coordination.fold.ClockCorrection;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.core.Position;
import dev.parley.core.store.Views;
import dev.parley.core.time.BootClock;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import java.util.function.Consumer;

/** Checks the ledger's clocks. */
final class ClockCheck {
  private ClockCheck() {}

  /**
   * Reports the clocks that were excluded, those that should be, and whether there is a clock at
   * all.
   */
  static void run(BusFolder bus, Consumer<Finding> findings) {
    try (FileLog log = bus.openLog()) {
      FoldTime time =
          new FoldReader<>(log, Views.inMemory(), report -> {}, Ledger.KIND).refresh().time();
      Finding.Place ledger = Finding.Place.of(log.file(Ledger.TOPIC));
      for (ClockCorrection correction : time.corrections()) {
        findings.accept(
            Finding.note(
                "clock-corrected",
                ledger,
                "The clock of "
                    + at(correction.line())
                    + " was ahead of the real time. "
                    + correction.by()
                    + " excluded it ("
                    + at(correction.position())
                    + ")."));
      }
      long wrong = time.wrong(BootClock.system().lookUp());
      if (wrong != 0) {
        findings.accept(
            Finding.note(
                "clock-wrong",
                ledger,
                "The clock of "
                    + at(wrong)
                    + " is ahead of the real time. The next command that writes to the ledger"
                    + " ignores it."));
      }
      if (time.now() != null && !time.isOfBootClock() && BootClock.system().now() == null) {
        findings.accept(
            Finding.note(
                "no-boot-clock",
                ledger,
                "This system has no boot clock, so deadlines follow wall clocks: a clock that runs"
                    + " fast can end other agents' locks early."));
      }
    }
  }

  private static String at(long position) {
    return new Position(position).in(Ledger.TOPIC);
  }
}
