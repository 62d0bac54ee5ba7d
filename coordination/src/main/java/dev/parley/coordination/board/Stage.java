package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Times;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a session is.
 *
 * @param round of the discussion, from 1; 0 in the other phases
 * @param since when the phase began, in the ledger's time
 * @param ends when it ends at the latest; null if it takes as long as it takes
 */
public record Stage(Phase phase, int round, Instant since, @Nullable Instant ends) {
  static Stage of(Phase phase, Agenda agenda, Instant now) {
    Instant ends =
        phase.isDecided() || agenda.deadline() == null ? null : Times.later(now, agenda.deadline());
    return new Stage(phase, phase == Phase.DISCUSS ? 1 : 0, now, ends);
  }

  Stage nextRound() {
    return new Stage(phase, round + 1, since, ends);
  }

  Stage movedBack(Duration by) {
    return new Stage(
        phase, round, Times.earlier(since, by), ends == null ? null : Times.earlier(ends, by));
  }

  Json save() {
    Json.ObjectBuilder json =
        Json.object()
            .put("phase", phase.name())
            .put("round", round)
            .put("since", Timestamps.format(since));
    return (ends == null ? json : json.put("ends", Timestamps.format(ends))).build();
  }

  static Stage load(Fields saved) {
    return new Stage(
        Phase.valueOf(saved.text("phase", "")),
        (int) saved.number("round", 0),
        saved.need("since"),
        saved.time("ends"));
  }
}
