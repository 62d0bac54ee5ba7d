package dev.parley.mcp.tools;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.task.Task;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows all agents with their leases and tasks. */
final class WhoTool {
  private final AgentContext context;

  WhoTool(AgentContext context) {
    this.context = context;
  }

  Tool tool() {
    return new Tool(
        "who",
        "Who is here, what they work on, which paths they hold, and what wakes them when idle.",
        Schema.of().build(),
        true,
        _ ->
            context.answer(
                Json.object().put("you", context.agent().name()).put("agents", roster()).build()));
  }

  /** The agents that have not left. */
  Json roster() {
    List<Lease> leases = context.parley().leases();
    List<Task> tasks = context.parley().tasks();
    List<Json> all = new ArrayList<>();
    for (Member member : context.parley().members()) {
      if (!member.hasLeft()) {
        all.add(member(member, leases, tasks));
      }
    }
    return Json.of(all);
  }

  private Json member(Member member, List<Lease> leases, List<Task> tasks) {
    Json.ObjectBuilder json = Json.object().put("name", member.name());
    Duration silence = Duration.between(context.parley().shown(member.heard()), Instant.now());
    if (silence.compareTo(Ledger.STALE_AFTER) >= 0) {
      json.put("quiet_minutes", silence.toMinutes());
    }
    if (member.role() != null) {
      json.put("role", member.role());
    }
    String wake = context.wakefulness(member.name()).word();
    if (!wake.equals("-")) {
      json.put("woken_by", wake);
    }
    List<String> own =
        tasks.stream()
            .filter(task -> member.session() != null && member.session().equals(task.session()))
            .map(Task::id)
            .toList();
    if (!own.isEmpty()) {
      json.put("tasks", Json.ofStrings(own));
    }
    List<String> held =
        leases.stream()
            .filter(lease -> lease.holder().equals(member.name()))
            .flatMap(lease -> lease.paths().stream().map(PathPattern::toString))
            .toList();
    return (held.isEmpty() ? json : json.put("holds", Json.ofStrings(held))).build();
  }

  Json locks() {
    return Json.of(
        context.parley().leases().stream()
            .map(lease ->
                Json.object()
                    .put("holder", lease.holder())
                    .put(
                        "paths",
                        Json.ofStrings(lease.paths().stream().map(PathPattern::toString).toList()))
                    .put("until", context.written(lease.until()))
                    .build())
            .toList());
  }
}
