package dev.parley.cli.doctor;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.history.ForgedLedgerLines;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Finds ledger lines that no version of Parley should have written. */
final class LedgerCheck {
  /** How many lines of each kind are named; the others are only counted. */
  private static final int MOST_NAMED = 100;

  private static final String WHOLE = Ledger.TOPIC.name() + "@";

  private LedgerCheck() {}

  /** Reports such lines; false if one of them blocks everybody. */
  static boolean run(BusFolder bus, Consumer<Finding> findings) {
    Path folder = bus.path();
    Map<ForgedLedgerLines.Why, Integer> counts = new EnumMap<>(ForgedLedgerLines.Why.class);
    boolean[] healthy = {true};
    try (FileLog log = bus.openLog()) {
      ForgedLedgerLines.run(
          log,
          suspect -> {
            int count = counts.merge(suspect.why(), 1, Integer::sum);
            healthy[0] &= suspect.why() != ForgedLedgerLines.Why.UNKNOWN_RULES;
            if (count <= MOST_NAMED) {
              findings.accept(finding(folder, suspect));
            }
          });
    }
    counts.forEach((why, count) -> {
      if (count > MOST_NAMED) {
        findings.accept(
            Finding.note(
                code(why),
                Finding.Place.of(file(folder)),
                (count - MOST_NAMED) + " more lines of this kind."));
      }
    });
    return healthy[0];
  }

  private static Path file(Path folder) {
    return folder.resolve(Ledger.TOPIC.name() + ".jsonl");
  }

  private static String code(ForgedLedgerLines.Why why) {
    return switch (why) {
      case UNKNOWN_RULES -> "unknown-rules";
      case NEVER_JOINED -> "never-joined";
      case FOREIGN -> "foreign-line";
    };
  }

  private static Finding finding(Path folder, ForgedLedgerLines.Suspect suspect) {
    Finding.Place place =
        new Finding.Place(
            file(folder), Ledger.TOPIC, suspect.start(), suspect.position() - suspect.start() - 1);
    String line = "The line " + WHOLE + suspect.position() + " (" + suspect.type() + ") ";
    String by = suspect.sender().isEmpty() ? "by nobody named " : "by " + suspect.sender() + " ";
    return switch (suspect.why()) {
      case UNKNOWN_RULES ->
          Finding.problem(
              code(suspect.why()),
              place,
              line
                  + by
                  + "puts rules "
                  + suspect.rules()
                  + " in force. This program knows "
                  + Ledger.RULES
                  + " and older, so no command can change the ledger. If nobody uses a newer"
                  + " version: parley doctor --undo "
                  + WHOLE
                  + suspect.position()
                  + " --reason \"…\"",
              null);
      case NEVER_JOINED ->
          Finding.note(
              code(suspect.why()),
              place,
              line + by + "belongs to a session that never joined. It had no effect.");
      case FOREIGN ->
          Finding.note(
              code(suspect.why()),
              place,
              line + by + "is not a valid ledger line. It has no effect.");
    };
  }
}
