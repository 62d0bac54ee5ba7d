package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import java.util.List;

/** Paths of a lease were released. */
record Released(long token, List<PathPattern> paths) implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object().put("released", token).put("paths", PathPattern.texts(paths)).build();
  }
}
