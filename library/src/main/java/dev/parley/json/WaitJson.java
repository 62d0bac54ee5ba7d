package dev.parley.json;

import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.ledger.WaitGraph.Cycle;
import dev.parley.coordination.ledger.WaitGraph.Edge;
import dev.parley.core.json.Json;

/** The graph of waits and its cycles as JSON. */
public final class WaitJson {
  private WaitJson() {}

  /** The whole graph. */
  public static Json of(WaitGraph graph) {
    return Json.object()
        .put("edges", Json.of(graph.edges().stream().map(WaitJson::edge).toList()))
        .put("cycles", Json.of(graph.cycles().stream().map(WaitJson::cycle).toList()))
        .build();
  }

  private static Json edge(Edge edge) {
    return Json.object()
        .put("from", edge.from())
        .put("to", edge.to())
        .put("why", edge.why())
        .build();
  }

  private static Json cycle(Cycle cycle) {
    return Json.object()
        .put("members", Json.ofStrings(cycle.members()))
        .put("victim", cycle.victim())
        .put("why", cycle.why())
        .build();
  }
}
