package dev.parley.cli.work;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.path.PathPattern;
import dev.parley.json.LeaseJson;
import java.util.List;

/** Prints leases and the queues for them. */
final class LeaseText {
  private LeaseText() {}

  /**
   * @param asked the paths that were asked for; empty for all
   */
  static void print(
      Output out,
      List<Lease> leases,
      List<Waiter> waiters,
      List<PathPattern> asked,
      String tree,
      Times times) {
    if (out.isJson()) {
      leases.forEach(lease -> out.line(LeaseJson.of(lease, times.inJson())));
      waiters.forEach(waiter -> out.line(LeaseJson.of(waiter, times.inJson())));
      return;
    }
    if (leases.isEmpty() && waiters.isEmpty()) {
      out.line(
          asked.isEmpty()
              ? "Nothing is locked."
              : "Nothing is locked on " + Printable.text(texts(asked)) + ".");
      return;
    }
    Table table = new Table();
    table.row("PATHS", "AGENT", "HOW", "SINCE", "UNTIL", "TOKEN", "FOR");
    for (Lease lease : leases) {
      table.row(
          paths(lease.terms()),
          Printable.text(lease.holder()),
          how(lease.terms(), tree),
          times.clock(lease.since()),
          times.clock(lease.until()),
          Long.toString(lease.token()),
          about(lease.terms()));
    }
    for (Waiter waiter : waiters) {
      table.row(
          paths(waiter.terms()),
          Printable.text(waiter.terms().name()),
          waiter.isOffered() ? "offered" : "waits",
          "-",
          times.clock(waiter.end()),
          "-",
          about(waiter.terms()));
    }
    table.print(out);
  }

  static String paths(LeaseTerms terms) {
    return Printable.text(texts(terms.paths()));
  }

  static String texts(List<PathPattern> paths) {
    return String.join(" ", paths.stream().map(PathPattern::toString).toList());
  }

  private static String how(LeaseTerms terms, String tree) {
    String where = terms.repo() ? "" : terms.tree().equals(tree) ? ", this tree" : ", other tree";
    return (terms.shared() ? "shared" : "exclusive") + where;
  }

  private static String about(LeaseTerms terms) {
    return terms.task() == null ? "-" : Printable.text(terms.task());
  }
}
