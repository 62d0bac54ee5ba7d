package dev.parley.cli.command;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.Checkup;
import dev.parley.filelog.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Examines the bus and repairs what can be repaired. */
public final class Doctor implements Command {
  private static final Option REPAIR =
      Option.flag("--repair", "repair what can be repaired; no position changes");

  /** Where it is said what is mounted; without it nothing that deals with mounts is loaded. */
  private static final String MOUNTS = "mounts.jsonl";

  @Override
  public Description description() {
    return new Description(
        "doctor",
        Group.EVERYDAY,
        "examine the bus, and repair it",
        "Reads the whole bus and lists what is wrong with it: damaged lines, a last line without an"
            + " end, missing and repeated messages, wrong permissions, files that do not belong"
            + " there; and what can't be read in the files that are mounted, and which locks were"
            + " overwritten there. For each it says what --repair would do. Lost lines can't be"
            + " brought back; repairing takes note of them, so that the next damage stands out. The exit code is 0"
            + " if the bus is healthy and 1 if it is not.",
        List.of(),
        List.of(REPAIR),
        List.of("parley doctor", "parley doctor --repair", "parley doctor --json"));
  }

  @Override
  public int run(Invocation invocation) {
    Output out = invocation.out();
    boolean repair = invocation.arguments().has(REPAIR);
    Path folder =
        BusFolder.locate(
            invocation.namedBus(), invocation.shell().folder(), invocation.shell().environment());
    Tally tally = new Tally();
    boolean healthy =
        Checkup.run(
            folder,
            invocation.shell().environment(),
            repair,
            finding -> {
              invocation.notices().clearProgress();
              tally.add(finding);
              print(out, finding);
            },
            (topic, done, size) -> progress(invocation.notices(), topic, done, size));
    invocation.notices().clearProgress();
    if (Files.exists(folder.resolve(Ledger.TOPIC.name() + ".jsonl"))) {
      ClockCheck.run(folder, finding -> print(out, finding));
    }
    if (Files.exists(folder.resolve(MOUNTS))) {
      healthy &= ForeignCheck.run(invocation, tally::add, finding -> print(out, finding));
    }
    if (out.isJson()) {
      out.line(Json.object().put("healthy", healthy).build());
    } else {
      out.line(verdict(out, folder, tally, healthy));
    }
    return healthy ? ExitCode.OK : ExitCode.FAILED;
  }

  private static void progress(Notices notices, Topic topic, long done, long size) {
    notices.progress("reading " + topic + ": " + 100 * done / Math.max(1, size) + " %");
  }

  /** How many findings there were of which kind. */
  private static final class Tally {
    int open;
    int repairable;
    int repaired;

    void add(Finding finding) {
      open += finding.isOpen() ? 1 : 0;
      repairable += finding.isOpen() && finding.repair() != null ? 1 : 0;
      repaired += finding.repaired() ? 1 : 0;
    }
  }

  private static String verdict(Output out, Path folder, Tally tally, boolean healthy) {
    String repaired = tally.repaired == 0 ? "" : ", " + tally.repaired + " repaired";
    if (healthy) {
      return out.styled(Style.GREEN, "healthy")
          + ": "
          + Printable.text(folder.toString())
          + repaired;
    }
    String next =
        tally.repairable == 0
            ? ""
            : "; parley doctor --repair deals with " + tally.repairable + " of them";
    return out.styled(Style.RED, "not healthy")
        + ": "
        + (tally.open == 1 ? "1 problem" : tally.open + " problems")
        + repaired
        + next;
  }

  private static void print(Output out, Finding finding) {
    if (out.isJson()) {
      out.line(json(finding));
      return;
    }
    boolean problem = finding.severity() == Finding.Severity.PROBLEM;
    String repair = finding.repair();
    String kind =
        finding.repaired()
            ? out.styled(Style.GREEN, "repaired")
            : problem ? out.styled(Style.RED, "problem ") : "note    ";
    out.line(kind + "  " + where(finding.place()) + "  " + Printable.text(finding.message()));
    if (repair != null) {
      out.line("          " + (finding.repaired() ? "done: " : "--repair would: ") + repair);
    }
  }

  private static String where(Finding.Place place) {
    Topic topic = place.topic();
    return topic == null
        ? Printable.text(place.path().toString())
        : new Position(place.offset()).in(topic) + " (" + place.length() + " bytes)";
  }

  private static Json json(Finding finding) {
    Topic topic = finding.place().topic();
    return Json.object()
        .put("severity", finding.severity() == Finding.Severity.PROBLEM ? "problem" : "note")
        .put("code", finding.code())
        .put("path", finding.place().path().toString())
        .put("topic", topic == null ? null : topic.name())
        .put("offset", topic == null ? Json.NULL : Json.of(finding.place().offset()))
        .put("length", topic == null ? Json.NULL : Json.of(finding.place().length()))
        .put("message", finding.message())
        .put("repair", finding.repair())
        .put("repaired", finding.repaired())
        .build();
  }
}
