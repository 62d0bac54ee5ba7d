package dev.parley.dialects.swarm.mirror;

import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.roster.Status;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.text.Explanation;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Brings the statuses that agents of the files report to the roster. The last report counts. */
final class StatusImport {
  private final BusAccess access;
  private final Map<String, Status> said = new LinkedHashMap<>();

  StatusImport(BusAccess access) {
    this.access = access;
  }

  void hear(SwarmMessage message) {
    String word = message.type().equals("status") ? message.metadata("status") : null;
    Status status = word == null ? null : of(word);
    if (status != null && AgentName.isValid(message.from())) {
      said.put(message.from(), status);
    }
  }

  /** The roster's name for a Swarm status; null if there is none. */
  static @Nullable Status of(String word) {
    return switch (word) {
      case "starting", "in_progress" -> Status.RUNNING;
      case "complete" -> Status.COMPLETE;
      case "error" -> Status.FAILED;
      case "blocked" -> Status.BLOCKED;
      default -> null;
    };
  }

  /**
   * @param files the path for remarks about what the roster refused
   */
  void tell(Path files) {
    said.forEach((agent, status) -> {
      try {
        var _ =
            new Sessions(access.owner())
                .heartbeat(access.standIn(agent), new Sessions.Beat(status, null, null, null));
      } catch (ParleyException e) {
        access
            .remarks()
            .accept(
                new FileRemark(
                    files, 0, true, "the status of " + agent + ": " + Explanation.messageOf(e)));
      }
    });
  }
}
