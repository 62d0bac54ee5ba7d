package dev.parley.coordination.work;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.ParleyException;

/** The ledger refused a request. The details tell what is in the way. */
public final class RefusedException extends ParleyException {
  private static final long serialVersionUID = 1L;

  public RefusedException(Outcome.Refused refused) {
    super(Kind.REFUSED, refused.code(), refused.details(), null);
  }

  static Outcome.Accepted check(Outcome outcome) {
    // No switch over types here: the JVM would generate its code at every start.
    if (outcome instanceof Outcome.Accepted accepted) {
      return accepted;
    }
    throw new RefusedException((Outcome.Refused) outcome);
  }
}
