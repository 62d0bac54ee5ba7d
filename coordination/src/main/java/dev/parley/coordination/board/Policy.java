package dev.parley.coordination.board;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * How votes are counted.
 *
 * <pre>
 * policy       approved                            rejected
 * -----------  ----------------------------------  ------------------------------------
 * five         4 or 5 of five; 3: with review      3 or more
 * majority     more than half of the electors      more than half of the electors
 * at-least-n   n or more                           so many that n can't be reached
 * unanimous    all                                 one or more
 * </pre>
 *
 * A vote that is neither approved nor rejected is undecided.
 */
public sealed interface Policy {
  /**
   * The verdict for these counts of votes.
   *
   * @param electors how many could vote; those in neither count abstained
   */
  Verdict verdict(int approve, int reject, int electors);

  /** Whether this policy makes sense for a board of this size. */
  default boolean fits(int electors) {
    return true;
  }

  /** The row {@code five} of the table. */
  record Five() implements Policy {
    @Override
    public Verdict verdict(int approve, int reject, int electors) {
      if (approve >= 4) {
        return Verdict.APPROVED;
      }
      if (approve == 3) {
        return Verdict.APPROVED_WITH_REVIEW;
      }
      return reject >= 3 ? Verdict.REJECTED : Verdict.ESCALATE;
    }

    @Override
    public boolean fits(int electors) {
      return electors == 5;
    }

    @Override
    public String toString() {
      return "five";
    }
  }

  /** More than half of all electors, also counting those who did not vote. */
  record Majority() implements Policy {
    @Override
    public Verdict verdict(int approve, int reject, int electors) {
      if (2 * approve > electors) {
        return Verdict.APPROVED;
      }
      return 2 * reject > electors ? Verdict.REJECTED : Verdict.ESCALATE;
    }

    @Override
    public String toString() {
      return "majority";
    }
  }

  /** At least {@code n} approvals, however many reject. */
  record AtLeast(int n) implements Policy {
    static final String PREFIX = "at-least-";

    @Override
    public Verdict verdict(int approve, int reject, int electors) {
      if (approve >= n) {
        return Verdict.APPROVED;
      }
      return electors - reject < n ? Verdict.REJECTED : Verdict.ESCALATE;
    }

    @Override
    public boolean fits(int electors) {
      return n >= 1 && n <= electors;
    }

    @Override
    public String toString() {
      return PREFIX + n;
    }
  }

  /** All electors. */
  record Unanimous() implements Policy {
    @Override
    public Verdict verdict(int approve, int reject, int electors) {
      if (approve == electors) {
        return Verdict.APPROVED;
      }
      return reject > 0 ? Verdict.REJECTED : Verdict.ESCALATE;
    }

    @Override
    public String toString() {
      return "unanimous";
    }
  }

  /** The usual policy for a board of this size. */
  static Policy usual(int electors) {
    return electors == 5 ? new Five() : new Majority();
  }

  /** The policy of this name; null if there is none. */
  static @Nullable Policy find(String text) {
    return switch (text) {
      case "five" -> new Five();
      case "majority" -> new Majority();
      case "unanimous" -> new Unanimous();
      default -> {
        String n = text.startsWith(AtLeast.PREFIX) ? text.substring(AtLeast.PREFIX.length()) : "";
        yield n.matches("[1-9][0-9]{0,3}") ? new AtLeast(Integer.parseInt(n)) : null;
      }
    };
  }

  /**
   * The policy of this name.
   *
   * @throws ParleyException INVALID if there is none
   */
  static Policy named(String text) {
    Policy policy = find(text);
    if (policy == null) {
      throw ParleyException.invalid("bad-policy", Json.object().put("policy", text));
    }
    return policy;
  }
}
