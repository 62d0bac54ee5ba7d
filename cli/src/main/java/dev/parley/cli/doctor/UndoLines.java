package dev.parley.cli.doctor;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Undone;
import dev.parley.coordination.ledger.history.ForgedLedgerLines;
import dev.parley.coordination.mail.ForgedReceipts;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reverts the effect of lines in the ledger or of receipts, and reports the result. */
final class UndoLines {
  private static final String RECEIPTS = "receipts.";

  private final Invocation invocation;
  private final BusFolder bus;
  private final FileLog log;
  private final String reason;
  private final List<String> undone = new ArrayList<>();

  private UndoLines(Invocation invocation, BusFolder bus, FileLog log, String reason) {
    this.invocation = invocation;
    this.bus = bus;
    this.log = log;
    this.reason = reason;
  }

  static int run(Invocation invocation, List<String> lines, String reason) {
    Map<Topic, List<Position>> places = new LinkedHashMap<>();
    for (String line : lines) {
      places.computeIfAbsent(topic(line), topic -> new ArrayList<>()).add(position(line));
    }
    BusFolder bus = invocation.bus();
    try (FileLog log = bus.openLog()) {
      UndoLines undoing = new UndoLines(invocation, bus, log, reason);
      places.forEach(undoing::undo);
      undoing.answer();
    }
    return ExitCode.OK;
  }

  private void undo(Topic topic, List<Position> places) {
    if (topic.equals(Ledger.TOPIC)) {
      inLedger(places);
    } else {
      inReceipts(topic, places);
    }
  }

  private void inLedger(List<Position> places) {
    List<Long> positions = places.stream().map(Position::value).toList();
    Outcome outcome =
        ForgedLedgerLines.undo(log, bus.views(), invocation.notices(), sender(), positions, reason);
    if (outcome instanceof Outcome.Refused refused) {
      throw new RefusedException(refused);
    }
    if (outcome instanceof Undone lines) {
      lines.positions().forEach(position -> undone.add(new Position(position).in(Ledger.TOPIC)));
    }
  }

  private void inReceipts(Topic topic, List<Position> places) {
    String agent =
        new AgentName(topic.name().substring(RECEIPTS.length()).replace('~', '.')).name();
    List<Position> effective =
        ForgedReceipts.undo(
            log, bus.views(), invocation.notices(), agent, sender(), places, reason);
    if (effective.isEmpty()) {
      throw ParleyException.refused(
          "nothing-to-undo",
          "This line has no receipts that are still known.",
          "parley doctor names the lines that can be undone.");
    }
    effective.forEach(place -> undone.add(place.in(topic)));
  }

  private String sender() {
    String agent = invocation.agent();
    return agent == null ? "person" : agent;
  }

  private void answer() {
    if (invocation.out().isJson()) {
      invocation.out().line(Json.object().put("undone", Json.ofStrings(undone)).build());
    } else {
      undone.forEach(place -> invocation.out().line("undone  " + place));
    }
  }

  private static Topic topic(String line) {
    String name = line.substring(0, Math.max(0, line.indexOf('@')));
    boolean known = name.equals(Ledger.TOPIC.name()) || name.startsWith(RECEIPTS);
    if (!known) {
      throw bad(line);
    }
    return new Topic(name);
  }

  private static Position position(String line) {
    try {
      return new Position(Long.parseLong(line.substring(line.indexOf('@') + 1)));
    } catch (IllegalArgumentException e) {
      throw bad(line);
    }
  }

  private static ParleyException bad(String line) {
    return ParleyException.invalid(
        "bad-position",
        "\"" + line + "\" is not a ledger or receipts line.",
        "Write it as parley doctor prints it, such as "
            + Ledger.TOPIC
            + "@1234 or "
            + Mailbox.receiptsOf("bob")
            + "@1234.");
  }
}
