package dev.parley.cli.doctor;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.guard.GuardCheck;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.health.HealthCheck;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Examines the bus and repairs what can be repaired. */
public final class Doctor implements Command {
  private static final Option REPAIR =
      Option.flag("--repair", "repair what can be repaired; positions do not change");

  private static final Option UNDO =
      Option.value(
          "--undo", "topic@position", "undo the effect of this line from now on; repeatable");
  private static final Option REASON =
      Option.value("--reason", "text", "the reason; everyone can read it");

  private static final Option AGENT =
      Option.value("--agent", "agent", "try every link between this agent's host and the bus");
  private static final Option WAKE =
      Option.flag("--wake", "with --agent: wake it as well, which costs it a turn");

  /** The file that describes mounts. Without it, no mount code is loaded. */
  private static final String MOUNTS = "mounts.jsonl";

  @Override
  public Description description() {
    return new Description(
        "doctor",
        Group.EVERYDAY,
        "check the bus, and repair it",
        "Reads the whole bus and lists what is wrong with it: damaged lines, a last line without an"
            + " end, missing and repeated messages, wrong permissions, files that do not belong"
            + " there; and what can't be read in the files that are mounted, and which locks were"
            + " overwritten there; and lines of the ledger that no Parley should have written, such"
            + " as one that puts unknown rules in force, or lines under a session of yours that it"
            + " did not write, and receipts of somebody else's mail. Those are undone one by one,"
            + " with a reason: everyone who reads the ledger takes back from there on what the line"
            + " did (the lease, wait, session, task or board that it made ends). It changes no file"
            + " unless --repair or --undo is given. For each finding it says what --repair would"
            + " do. Lost lines can't be brought back; repairing takes note of them, so that the"
            + " next damage stands out. The exit code is 0 if the bus is healthy and 1 if it is"
            + " not. With --agent it calls Parley as that agent's host does, and says for each link"
            + " whether it works and what to do next: the settings, a call of a tool, an edit of"
            + " what somebody else holds, waking, the git guard.",
        List.of(),
        List.of(REPAIR, UNDO, REASON, AGENT, WAKE),
        List.of(
            "parley doctor",
            "parley doctor --repair",
            "parley doctor --undo ledger@1234 --reason \"nobody here uses these rules\"",
            "parley doctor --json",
            "parley doctor --agent alice",
            "parley doctor --agent alice --wake"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Output out = invocation.out();
    boolean repair = invocation.arguments().has(REPAIR);
    String agent = invocation.arguments().value(AGENT);
    boolean wakes = invocation.arguments().has(WAKE);
    if (agent != null) {
      return HostLinksCheck.run(invocation, agent, wakes);
    }
    if (wakes) {
      throw ParleyException.invalid(
          "no-agent", "--wake needs somebody to wake.", "Add --agent <agent>.");
    }
    List<String> undo = invocation.arguments().values(UNDO);
    String reason = invocation.arguments().value(REASON);
    if (reason != null && undo.isEmpty()) {
      throw ParleyException.invalid(
          "unexpected-option", "--reason has no effect without --undo.", "Leave it out.");
    }
    if (!undo.isEmpty()) {
      if (reason == null || reason.isBlank()) {
        throw ParleyException.invalid(
            "no-reason", "Undoing a line needs a reason.", "Add --reason \"…\".");
      }
      return UndoLines.run(invocation, undo, reason);
    }
    Path folder =
        BusFolder.locate(
            invocation.namedBus(), invocation.shell().folder(), invocation.shell().environment());
    Tally tally = new Tally();
    boolean healthy =
        HealthCheck.run(
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
    BusFolder bus = opened(invocation);
    if (bus != null && !bus.isOurs() && !out.isJson()) {
      out.line("To see what trusting it allows, and to trust it: parley trust");
    }
    if (bus != null) {
      Consumer<Finding> told =
          finding -> {
            tally.add(finding);
            print(out, finding);
          };
      healthy &= LedgerCheck.run(bus, told);
      MailCheck.run(bus, told);
      ClockCheck.run(bus, told);
      healthy &= KeysCheck.run(bus, told);
      for (Finding finding : ForgeryCheck.run(bus)) {
        told.accept(finding);
        healthy &= !finding.isOpen();
      }
      guard(invocation, told);
      if (!bus.mounts().isEmpty() || Files.exists(folder.resolve(MOUNTS))) {
        healthy &= ForeignCheck.run(invocation, bus, tally::add, finding -> print(out, finding));
      }
    }
    if (out.isJson()) {
      out.line(Json.object().put("healthy", healthy).build());
    } else {
      out.line(verdict(out, folder, tally, healthy));
    }
    return healthy ? ExitCode.OK : ExitCode.FAILED;
  }

  private static void guard(Invocation invocation, Consumer<Finding> told) throws IOException {
    GuardCheck guard = GuardCheck.of(invocation.shell().folder());
    String trouble = guard == null ? null : guard.trouble();
    if (guard != null && trouble != null) {
      told.accept(
          Finding.note(
              "guard-incomplete",
              Finding.Place.of(guard.hook()),
              "Hooks of the git guard are " + trouble + ". Next: parley guard install"));
    }
  }

  /** Null if the bus can't be opened; the checkup has reported why. */
  private static @Nullable BusFolder opened(Invocation invocation) {
    try {
      return invocation.busToLookAt();
    } catch (ParleyException e) {
      return null;
    }
  }

  private static void progress(Notices notices, Topic topic, long done, long size) {
    notices.progress("reading " + topic + ": " + 100 * done / Math.max(1, size) + " %");
  }

  /** Counts the findings of each kind. */
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
            : "; parley doctor --repair fixes " + tally.repairable + " of them";
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
    out.line(kind + "  " + where(finding.place()) + "  " + Printable.text(message(finding)));
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

  private static String message(Finding finding) {
    ParleyException error = finding.error();
    return error == null
        ? finding.message()
        : (Explanation.messageOf(error) + " " + finding.message()).strip();
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
        .put("message", message(finding))
        .put("repair", finding.repair())
        .put("repaired", finding.repaired())
        .build();
  }
}
