package dev.parley.coordination.roster;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status that an agent states. */
public enum Status {
  RUNNING,
  COMPLETE,
  FAILED,
  BLOCKED;

  /** The status of this name; null if there is none. */
  public static @Nullable Status find(String name) {
    for (Status status : values()) {
      if (status.name().equalsIgnoreCase(name)) {
        return status;
      }
    }
    return null;
  }

  public static Status named(String name) {
    Status status = find(name);
    if (status == null) {
      List<String> all = Arrays.stream(values()).map(Status::name).toList();
      throw ParleyException.invalid(
          "bad-status", Json.object().put("status", name).put("statuses", Json.ofStrings(all)));
    }
    return status;
  }
}
