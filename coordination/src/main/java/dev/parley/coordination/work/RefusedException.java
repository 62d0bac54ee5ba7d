package dev.parley.coordination.work;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.core.ParleyException;

/** The ledger decided against a request: who or what is in the way. */
public final class RefusedException extends ParleyException {
  private static final long serialVersionUID = 1L;

  public RefusedException(Outcome.Refused refused) {
    super(Kind.REFUSED, refused.code(), refused.details(), null);
  }

  /** What was decided. */
  static Fields accepted(Outcome outcome) {
    return Fields.of(check(outcome).what());
  }

  static Outcome.Accepted check(Outcome outcome) {
    // Not a switch over the types: the JVM puts such a one together at every start.
    if (outcome instanceof Outcome.Accepted accepted) {
      return accepted;
    }
    throw new RefusedException((Outcome.Refused) outcome);
  }
}
