package dev.parley.coordination.fold;

import dev.parley.core.json.Json;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much there may be of what makes lines of a ledger costly to fold. Set by lines of the ledger,
 * so that all who fold it agree. Lines written under older rules are bound by nothing.
 */
public final class LedgerLimits {
  /** The first rules under which anything is bound. */
  private static final long SINCE_RULES = 2;

  private final Map<LedgerLimit, Long> set = new EnumMap<>(LedgerLimit.class);
  private boolean inForce;

  /** The limits that hold until an envelope sets others. */
  public LedgerLimits() {}

  /** What a bound is. */
  public long get(LedgerLimit bound) {
    return set.getOrDefault(bound, bound.usual());
  }

  /** Takes note of the rules from here on. */
  public void follow(long rules) {
    inForce = rules >= SINCE_RULES;
  }

  public boolean areInForce() {
    return inForce;
  }

  /** Takes those that the fields name and that are in range. */
  public void set(Fields fields) {
    for (LedgerLimit bound : LedgerLimit.values()) {
      long value = fields.number(bound.field(), 0);
      if (value >= LedgerLimit.LEAST && value <= LedgerLimit.MOST) {
        set.put(bound, value);
      }
    }
  }

  /** Whether this many of something may be. */
  public boolean allow(LedgerLimit bound, long count) {
    return !inForce || count <= get(bound);
  }

  /**
   * The refusal of a request with which there would be this many of something; null if they may.
   */
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

  /** Forgets what was set, for {@link #set} of what was saved. */
  public void reset() {
    set.clear();
  }
}
