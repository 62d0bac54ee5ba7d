package dev.parley.cli.work;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.Ask;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.PathPattern;
import dev.parley.coordination.lease.Waiter;
import dev.parley.json.LeaseJson;
import java.util.List;

/** How leases, and those who wait for them, are shown. */
final class LeaseText {
  private LeaseText() {}

  static void print(
      Output out, List<Lease> leases, List<Waiter> waiters, String tree, Times times) {
    if (out.isJson()) {
      leases.forEach(lease -> out.line(LeaseJson.of(lease, times.inJson())));
      waiters.forEach(waiter -> out.line(LeaseJson.of(waiter, times.inJson())));
      return;
    }
    if (leases.isEmpty() && waiters.isEmpty()) {
      out.line("Nothing is locked.");
      return;
    }
    Table table = new Table();
    table.row("PATHS", "AGENT", "HOW", "SINCE", "UNTIL", "TOKEN", "FOR");
    for (Lease lease : leases) {
      table.row(
          paths(lease.ask()),
          Printable.text(lease.holder()),
          how(lease.ask(), tree),
          times.show(lease.since()),
          times.show(lease.until()),
          Long.toString(lease.token()),
          about(lease.ask()));
    }
    for (Waiter waiter : waiters) {
      table.row(
          paths(waiter.ask()),
          Printable.text(waiter.ask().name()),
          waiter.isOffered() ? "offered" : "waits",
          "-",
          times.show(waiter.end()),
          "-",
          about(waiter.ask()));
    }
    table.print(out);
  }

  static String paths(Ask ask) {
    return Printable.text(texts(ask.paths()));
  }

  static String texts(List<PathPattern> paths) {
    return String.join(" ", paths.stream().map(PathPattern::toString).toList());
  }

  private static String how(Ask ask, String tree) {
    String where = ask.repo() ? "" : ask.tree().equals(tree) ? ", this tree" : ", other tree";
    return (ask.shared() ? "shared" : "exclusive") + where;
  }

  private static String about(Ask ask) {
    return ask.task() == null ? "-" : Printable.text(ask.task());
  }
}
