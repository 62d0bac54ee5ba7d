package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import java.util.List;

/** The effects of the lines that end at these positions were taken back. */
public record Undone(List<Long> positions) implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object().put("undone", Json.of(positions.stream().map(Json::of).toList())).build();
  }
}
