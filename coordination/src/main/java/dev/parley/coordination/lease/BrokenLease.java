package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import java.util.List;

/** An agent has ended the lease of another. */
public record BrokenLease(long token, String holder, List<PathPattern> paths)
    implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object()
        .put("broken", token)
        .put("holder", holder)
        .put("paths", PathPattern.texts(paths))
        .build();
  }
}
