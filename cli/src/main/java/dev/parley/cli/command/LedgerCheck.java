package dev.parley.cli.command;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Review;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.Finding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Names lines of the ledger that no Parley should have written, and takes back what they did. */
final class LedgerCheck {
  /** Of each kind so many are named; the others are counted. */
  private static final int MOST_NAMED = 100;

  private static final String WHOLE = Ledger.TOPIC.name() + "@";

  private LedgerCheck() {}

  /** Tells which lines stand out; false if one of them is in everybody's way. */
  static boolean run(BusFolder bus, Consumer<Finding> findings) {
    Path folder = bus.path();
    Map<Review.Why, Integer> counts = new EnumMap<>(Review.Why.class);
    boolean[] healthy = {true};
    try (FileLog log = bus.openLog()) {
      Review.run(
          log,
          suspect -> {
            int count = counts.merge(suspect.why(), 1, Integer::sum);
            healthy[0] &= suspect.why() != Review.Why.UNKNOWN_RULES;
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

  private static String code(Review.Why why) {
    return switch (why) {
      case UNKNOWN_RULES -> "unknown-rules";
      case NEVER_JOINED -> "never-joined";
      case FOREIGN -> "foreign-line";
    };
  }

  private static Finding finding(Path folder, Review.Suspect suspect) {
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
                  + " and older, so no command decides anything. If nobody here uses a newer one:"
                  + " parley doctor --undo "
                  + WHOLE
                  + suspect.position()
                  + " --reason \"…\"",
              null);
      case NEVER_JOINED ->
          Finding.note(
              code(suspect.why()),
              place,
              line + by + "is in the name of a session that never joined. It decided nothing.");
      case FOREIGN ->
          Finding.note(
              code(suspect.why()),
              place,
              line + by + "does not have the form of a line of Parley. It decides nothing.");
    };
  }

  /** Takes back what lines have done, and says what came of it. */
  static int undo(Invocation invocation, List<String> lines, String reason) {
    List<Long> positions = new ArrayList<>();
    for (String line : lines) {
      positions.add(position(line));
    }
    BusFolder bus = invocation.bus();
    String agent = invocation.agent();
    Outcome outcome;
    try (FileLog log = bus.openLog()) {
      outcome =
          Review.undo(
              log,
              bus.views(),
              invocation.notices(),
              agent == null ? "person" : agent,
              positions,
              reason);
    }
    if (outcome instanceof Outcome.Refused refused) {
      throw ParleyException.refused(refused.code(), refused.message(), refused.next());
    }
    List<Json> undone = Fields.of(((Outcome.Accepted) outcome).what()).items("undone");
    if (invocation.out().isJson()) {
      invocation.out().line(Json.object().put("undone", Json.of(undone)).build());
    } else {
      for (Json one : undone) {
        invocation.out().line("undone  " + WHOLE + one.number(0));
      }
    }
    return ExitCode.OK;
  }

  private static long position(String line) {
    try {
      if (line.startsWith(WHOLE)) {
        return new Position(Long.parseLong(line.substring(WHOLE.length()))).value();
      }
    } catch (IllegalArgumentException e) {
      // No number is as bad as another topic.
    }
    throw ParleyException.invalid(
        "bad-position",
        "\"" + line + "\" is not a line of the ledger.",
        "Name it as parley doctor does, such as " + WHOLE + "1234.");
  }
}
