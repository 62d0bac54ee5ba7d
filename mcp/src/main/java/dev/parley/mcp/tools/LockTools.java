package dev.parley.mcp.tools;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Takes and releases leases on paths. */
final class LockTools {
  /** The longest wait in a queue. Hosts give up on longer calls. */
  private static final long MOST_WAIT_SECONDS = 50;

  private final AgentContext context;

  LockTools(AgentContext context) {
    this.context = context;
  }

  List<Tool> all() {
    return List.of(
        new Tool(
            "lock",
            "Reserve files, folders or patterns in all worktrees before you edit them: all or"
                + " none.",
            Schema.of()
                .texts("paths", "relative to your working folder")
                .flag("shared", "others may share")
                .number("minutes", "how long (30)")
                .number("wait_seconds", "wait in line, at most 50")
                .needs("paths")
                .build(),
            false,
            this::lock),
        new Tool(
            "unlock",
            "Give locks back.",
            Schema.of().texts("paths", "only these; all you hold if left out").build(),
            false,
            this::unlock));
  }

  private Reply lock(Call call) throws InterruptedException {
    Fields arguments = call.arguments();
    Duration time = Duration.ofMinutes(arguments.number("minutes", LeaseTerms.TTL.toMinutes()));
    LockRequest wanted =
        new LockRequest(
            context.tree().patterns(arguments.texts("paths")),
            arguments.flag("shared"),
            context.tree().name(),
            true,
            time,
            null);
    long wait = Math.clamp(arguments.number("wait_seconds", 0), 0, MOST_WAIT_SECONDS);
    Grant grant = context.agent().locks().lock(wanted, Duration.ofSeconds(wait));
    return context.answer(
        Json.object()
            .put("locked", Json.ofStrings(grant.paths()))
            .put("until", context.written(grant.until()))
            .put("token", grant.token())
            .put("next", "unlock when done.")
            .build());
  }

  private Reply unlock(Call call) {
    Locks locks = context.agent().locks();
    List<PathPattern> named =
        context.tree().patterns(call.arguments().texts("paths")).stream()
            .map(PathPattern::of)
            .toList();
    List<String> released = new ArrayList<>();
    for (Lease lease : locks.own()) {
      List<String> paths =
          lease.paths().stream()
              .filter(path -> named.isEmpty() || named.stream().anyMatch(path::overlaps))
              .map(PathPattern::toString)
              .toList();
      if (!paths.isEmpty()) {
        locks.release(lease.token(), named.isEmpty() ? List.of() : paths);
        released.addAll(paths);
      }
    }
    return context.answer(Json.object().put("unlocked", Json.ofStrings(released)).build());
  }
}
