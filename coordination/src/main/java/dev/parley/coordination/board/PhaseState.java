package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The phase and round of a session, and their times.
 *
 * @param round of the discussion, from 1; 0 in the other phases
 * @param since when the phase began, in the ledger's time
 * @param ends the deadline of the phase; null if it has none
 */
public record PhaseState(Phase phase, int round, Instant since, @Nullable Instant ends) {
  static PhaseState of(Phase phase, Agenda agenda, Instant now) {
    Instant ends =
        phase.isDecided() || agenda.deadline() == null
            ? null
            : StoredTimes.later(now, agenda.deadline());
    return new PhaseState(phase, phase == Phase.DISCUSS ? 1 : 0, now, ends);
  }

  PhaseState nextRound() {
    return new PhaseState(phase, round + 1, since, ends);
  }

  PhaseState movedBack(Duration by) {
    return new PhaseState(
        phase,
        round,
        StoredTimes.earlier(since, by),
        ends == null ? null : StoredTimes.earlier(ends, by));
  }

  Json save() {
    Json.ObjectBuilder json =
        Json.object()
            .put("phase", phase.name())
            .put("round", round)
            .put("since", Timestamps.format(since));
    return (ends == null ? json : json.put("ends", Timestamps.format(ends))).build();
  }

  static PhaseState load(Fields saved) {
    return new PhaseState(
        Phase.valueOf(saved.text("phase", "")),
        (int) saved.number("round", 0),
        saved.need("since"),
        saved.time("ends"));
  }
}
