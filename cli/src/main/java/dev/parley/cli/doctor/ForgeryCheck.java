package dev.parley.cli.doctor;

import dev.parley.cli.team.Forgeries;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.Envelope;
import dev.parley.core.WholeTopic;
import dev.parley.core.writer.WriterId;
import dev.parley.core.writer.WriterKey;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.store.SessionFiles;
import dev.parley.filelog.trust.TrustedMount;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks in the ledger for what no command of this user wrote: lines under a session whose secret is
 * kept here, and reports in the name of mounts that the user has not made. Folds read no registry,
 * so such lines have their effect all the same; people are told.
 */
final class ForgeryCheck {

  private final BusFolder bus;
  private final FileLog log;
  private final List<Finding> found = new ArrayList<>();

  private ForgeryCheck(BusFolder bus, FileLog log) {
    this.bus = bus;
    this.log = log;
  }

  static List<Finding> run(BusFolder bus) {
    if (!bus.isOurs()) {
      return List.of(); // nothing in it can be verified
    }
    try (FileLog log = bus.openLog()) {
      ForgeryCheck check = new ForgeryCheck(bus, log);
      check.sessions();
      check.reports();
      return check.found;
    }
  }

  private void sessions() {
    SessionFiles files = new SessionFiles(bus.path());
    Set<Session> seen = new HashSet<>();
    for (SessionFiles.Kept kept : files.all()) {
      String token = kept.place() == null ? files.read(kept) : null;
      Session session = token == null ? null : Session.ofKept(token);
      if (session != null && seen.add(session)) {
        for (Envelope line : Forgeries.all(log, session, bus.writerKey())) {
          found.add(Finding.problem("forged-line", place(line), Forgeries.describe(line), null));
        }
      }
    }
  }

  private void reports() {
    Set<String> mounted = new HashSet<>();
    for (TrustedMount mount : bus.mounts()) {
      mounted.add(mount.name());
    }
    WholeTopic.forEach(log, Ledger.TOPIC, line -> report(line, mounted));
  }

  private void report(Envelope line, Set<String> mounted) {
    boolean isReport =
        line.type().equals(LeaseTypes.REPORT) || line.type().equals(WaitTypes.REPORT);
    if (!isReport || !line.isNative() || mayHaveWritten(line, mounted)) {
      return;
    }
    String mount = Session.mountOf(session(line));
    found.add(
        Finding.note(
            "unknown-report",
            place(line),
            line.type()
                + " in the name of "
                + line.sender()
                + " ("
                + line.id()
                + ") "
                + (mount == null
                    ? "was not written by one of your bridges."
                    : "speaks for the mount " + mount + ", which you did not create here.")));
  }

  /** Whether one of this user's bridges may have written a report. */
  private boolean mayHaveWritten(Envelope line, Set<String> mounted) {
    String mount = Session.mountOf(session(line));
    return mount == null ? isWrittenHere(line) : mounted.contains(mount);
  }

  private boolean isWrittenHere(Envelope line) {
    WriterKey key = bus.writerKey();
    WriterId writer = line.writer();
    return key != null && writer != null && key.made(writer);
  }

  private static String session(Envelope line) {
    return Fields.of(line.payload()).text("session", "");
  }

  private Finding.Place place(Envelope line) {
    long length = line.toLine().length;
    long end = line.position().value();
    return new Finding.Place(
        log.file(Ledger.TOPIC), Ledger.TOPIC, Math.max(0, end - length - 1), length);
  }
}
