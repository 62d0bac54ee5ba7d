package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Paths of a lease were released.
 *
 * @param kept what claims of the session still need of them; null if nothing
 */
public record Released(long token, List<PathPattern> paths, @Nullable ClaimedFiles kept)
    implements Outcome.Accepted {
  public Released {
    paths = List.copyOf(paths);
  }

  @Override
  public Json what() {
    Json.ObjectBuilder json =
        Json.object().put("released", token).put("paths", PathPattern.texts(paths));
    if (kept != null) {
      json.put("kept", PathPattern.texts(kept.paths())).put("task", kept.task());
    }
    return json.build();
  }
}
