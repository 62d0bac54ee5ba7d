package dev.parley.coordination.fold;

import dev.parley.core.json.Json;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits on what makes lines of the ledger costly to fold. Lines of the ledger set them, so
 * that all readers agree on them. Lines written under rules 1 have no limits.
 */
public final class LedgerLimits {
  /** The first rules under which the limits are in force. */
  private static final long SINCE_RULES = 2;

  private final Map<LedgerLimit, Long> set = new EnumMap<>(LedgerLimit.class);
  private boolean inForce;

  /** The limits that hold until an envelope sets others. */
  public LedgerLimits() {}

  /** The value of a limit. */
  public long get(LedgerLimit bound) {
    return set.getOrDefault(bound, bound.usual());
  }

  /** Notes the rules in force from here on. */
  public void follow(long rules) {
    inForce = rules >= SINCE_RULES;
  }

  public boolean areInForce() {
    return inForce;
  }

  /** Sets the limits that the fields name and that are in range. */
  public void set(Fields fields) {
    for (LedgerLimit bound : LedgerLimit.values()) {
      long value = fields.number(bound.field(), 0);
      if (value >= LedgerLimit.LEAST && value <= LedgerLimit.MOST) {
        set.put(bound, value);
      }
    }
  }

  /** Whether a count is within a limit. */
  public boolean allow(LedgerLimit bound, long count) {
    return !inForce || count <= get(bound);
  }

  /** The refusal of a request that would bring a count beyond a limit; null if it is within. */
  public @Nullable Outcome refusal(LedgerLimit bound, long count) {
    if (allow(bound, count)) {
      return null;
    }
    Json.ObjectBuilder details =
        Json.object().put("limit", bound.field()).put("most", get(bound)).put("count", count);
    return bound.isAboutComparing()
        ? Outcome.refused("too-complex", details)
        : Outcome.refused("too-many", details);
  }

  public Json save() {
    Json.ObjectBuilder json = Json.object();
    set.forEach((bound, value) -> json.put(bound.field(), value));
    return json.build();
  }

  /** Restores the defaults, before {@link #set} takes saved values. */
  public void reset() {
    set.clear();
  }
}
