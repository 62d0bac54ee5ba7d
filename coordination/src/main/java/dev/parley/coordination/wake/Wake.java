package dev.parley.coordination.wake;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to wake an agent.
 *
 * @param position of its request
 * @param way how the agent was to be woken
 * @param from the senders of the mail that caused it
 * @param mail the ids of that mail, or of its latest part
 * @param mutual whether the agent itself has woken all these senders lately
 * @param steps what happened, the request first; never empty
 */
public record Wake(
    long position,
    WakeWay way,
    List<String> from,
    List<String> mail,
    boolean mutual,
    List<Step> steps) {

  /**
   * One step of an attempt.
   *
   * @param position of its envelope
   * @param at when, in the time of the topic
   * @param why a code for a failure or refusal; null otherwise
   */
  public record Step(WakeState state, long position, Instant at, @Nullable String why) {
    Json toJson() {
      return Json.object()
          .put("state", state.word())
          .put("position", position)
          .put("at", Timestamps.format(at))
          .put("why", why)
          .build();
    }

    static Step load(Fields saved) {
      WakeState state = saved.choice("state", WakeState.values());
      if (state == null) {
        throw new IllegalArgumentException("a step without a state");
      }
      return new Step(state, saved.number("position", 0), saved.need("at"), saved.text("why"));
    }
  }

  public WakeState state() {
    return steps.getLast().state();
  }

  /** When it was requested, in the time of the topic. */
  public Instant requested() {
    return steps.getFirst().at();
  }

  /** The code of the failure or refusal; null if there is none. */
  public @Nullable String why() {
    return steps.getLast().why();
  }

  boolean wasGranted() {
    return steps.getFirst().state() == WakeState.REQUESTED;
  }

  Wake then(Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return new Wake(position, way, from, mail, mutual, List.copyOf(longer));
  }

  public Json toJson() {
    return Json.object()
        .put("position", position)
        .put("state", state().word())
        .put("way", way.word())
        .put("from", Json.ofStrings(from))
        .put("mail", Json.ofStrings(mail))
        .put("mutual", mutual)
        .put("steps", Json.of(steps.stream().map(Step::toJson).toList()))
        .build();
  }

  static Wake load(Fields saved) {
    WakeWay way = saved.choice("way", WakeWay.values());
    List<Step> steps = saved.objects("steps").stream().map(Step::load).toList();
    if (way == null || steps.isEmpty()) {
      throw new IllegalArgumentException("a wake without a way or a step");
    }
    return new Wake(
        saved.number("position", 0),
        way,
        saved.texts("from"),
        saved.texts("mail"),
        saved.flag("mutual"),
        steps);
  }
}
