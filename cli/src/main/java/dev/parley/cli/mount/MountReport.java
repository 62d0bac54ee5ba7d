package dev.parley.cli.mount;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.mount.MountCheck;
import java.util.ArrayList;
import java.util.List;

/** Shows on one screen how far mounts and bus are in step. */
final class MountReport {
  /** How many reasons are shown for each mount. */
  private static final int SHOWN = 5;

  private MountReport() {}

  /** Returns exit code 1 if something is not in step. */
  static int print(Output out, List<MountCheck> checks) {
    if (out.isJson()) {
      checks.forEach(check -> out.line(json(check)));
    } else if (checks.isEmpty()) {
      out.line("No mounts.");
    } else {
      table(out, checks);
      checks.forEach(check -> reasons(out, check));
    }
    return checks.stream().allMatch(MountCheck::isInStep) ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String state(MountCheck check) {
    return !check.there()
        ? "absent"
        : !check.passedOver().isEmpty() ? "passed-over" : check.isInStep() ? "in-step" : "behind";
  }

  private static void table(Output out, List<MountCheck> checks) {
    Table table = new Table();
    table.row("NAME", "STATE", "UNREAD", "UNWRITTEN", "PASSED OVER", "DRIFT", "AGENTS", "PATH");
    for (MountCheck check : checks) {
      table.row(
          check.mount().name(),
          state(check),
          check.unread() == 0 ? "-" : check.unread() + " bytes",
          count(check.unwritten()),
          count(check.passedOver().size()),
          count(check.drifted()),
          count(check.residents().size()),
          Printable.text(check.mount().path().toString()));
    }
    table.print(out);
  }

  private static String count(int number) {
    return number == 0 ? "-" : Integer.toString(number);
  }

  private static void reasons(Output out, MountCheck check) {
    List<FileRemark> reasons = check.passedOver();
    for (FileRemark remark : reasons.subList(0, Math.min(SHOWN, reasons.size()))) {
      out.line(check.mount().name() + ": " + Printable.text(remark.describe()));
    }
    if (reasons.size() > SHOWN) {
      int more = reasons.size() - SHOWN;
      out.line(check.mount().name() + ": and " + more + " more; to list all: parley doctor");
    }
    if (check.unread() > 0 || check.unwritten() > 0) {
      out.line(
          check.mount().name() + ": not in sync yet; the next command continues, or parley bridge");
    }
  }

  private static Json json(MountCheck check) {
    List<Json> reasons = new ArrayList<>();
    for (FileRemark remark : check.passedOver()) {
      reasons.add(
          Json.object()
              .put("file", remark.file().toString())
              .put("line", remark.line())
              .put("reason", remark.reason())
              .build());
    }
    return Json.object()
        .put("name", check.mount().name())
        .put("dialect", check.mount().dialect().word())
        .put("path", check.mount().path().toString())
        .put("state", state(check))
        .put("unreadBytes", check.unread())
        .put("unwritten", check.unwritten())
        .put("passedOver", Json.of(reasons))
        .put("drift", check.drifted())
        .put("agents", Json.ofStrings(check.residents().stream().sorted().toList()))
        .build();
  }
}
