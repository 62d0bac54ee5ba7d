package dev.parley.cli.work;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.ledger.WaitGraph.Cycle;
import dev.parley.coordination.ledger.WaitGraph.Edge;
import dev.parley.core.json.Json;
import dev.parley.json.WaitJson;
import java.util.List;

/** Shows who waits for whom. */
public final class WaitsCommand implements Command {
  private static final Option DOT = Option.flag("--dot", "print a graph for Graphviz");

  @Override
  public Description description() {
    return new Description(
        "waits",
        Group.COORDINATE,
        "show who waits for whom, and deadlocks",
        "Shows one graph of waits for locks, tasks and answers. A wait that would be a deadlock is"
            + " refused when it begins; deadlocks that other tools report are listed here, with the"
            + " agent that should give way.",
        List.of(),
        List.of(DOT),
        List.of("parley waits", "parley waits --dot | dot -Tsvg > waits.svg"));
  }

  @Override
  public int run(Invocation invocation) {
    CommandContext context = CommandContext.open(invocation);
    context.catchUp();
    context.team().ledger().show(ledger -> print(invocation, ledger.graph()));
    return ExitCode.OK;
  }

  private static void print(Invocation invocation, WaitGraph graph) {
    Output out = invocation.out();
    if (invocation.arguments().has(DOT)) {
      dot(out, graph.edges());
    } else if (out.isJson()) {
      out.line(WaitJson.of(graph));
    } else {
      text(out, graph);
    }
  }

  private static void text(Output out, WaitGraph graph) {
    List<Edge> edges = graph.edges();
    if (edges.isEmpty()) {
      out.line("Nobody waits.");
      return;
    }
    for (Edge edge : edges) {
      out.line(
          Printable.text(edge.from())
              + " → "
              + Printable.text(edge.to())
              + "  "
              + Printable.text(edge.why()));
    }
    for (Cycle cycle : graph.cycles()) {
      out.line(
          out.styled(Style.RED, "circle: " + Printable.text(String.join(" → ", cycle.members()))));
      out.line(
          "  "
              + Printable.text(cycle.victim())
              + " should give way: "
              + Printable.text(cycle.why())
              + ".");
    }
  }

  /** JSON string syntax is valid in the graph language too. */
  private static void dot(Output out, List<Edge> edges) {
    out.line("digraph waits {");
    for (Edge edge : edges) {
      out.line(
          "  "
              + Json.of(edge.from())
              + " -> "
              + Json.of(edge.to())
              + " [label="
              + Json.of(edge.why())
              + "];");
    }
    out.line("}");
  }
}
