package dev.parley.coordination.wake;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** The limits of one agent's wakes. */
public record WakeLimits(Map<WakeLimit, Long> set) {
  public static final WakeLimits DEFAULT = new WakeLimits(Map.of());

  public WakeLimits {
    set.forEach(WakeLimit::check);
    set = Map.copyOf(set);
  }

  /** The value of a limit; times in seconds. */
  public long get(WakeLimit limit) {
    return set.getOrDefault(limit, limit.usual());
  }

  public Duration time(WakeLimit limit) {
    return Duration.ofSeconds(get(limit));
  }

  /**
   * These limits with one of them changed.
   *
   * @throws ParleyException INVALID if the value is out of range
   */
  public WakeLimits with(WakeLimit limit, long value) {
    Map<WakeLimit, Long> changed = new EnumMap<>(WakeLimit.class);
    changed.putAll(set);
    changed.put(limit, value);
    return new WakeLimits(changed);
  }

  public Json toJson() {
    Json.ObjectBuilder json = Json.object();
    for (WakeLimit limit : WakeLimit.values()) {
      json.put(limit.field(), get(limit));
    }
    return json.build();
  }

  /** These limits with those that the fields name; unchanged if one value is out of range. */
  WakeLimits with(Fields fields) {
    WakeLimits changed = this;
    for (WakeLimit limit : WakeLimit.values()) {
      long value = fields.number(limit.field(), get(limit));
      if (!limit.allows(value)) {
        return this;
      }
      changed = changed.with(limit, value);
    }
    return changed;
  }
}
