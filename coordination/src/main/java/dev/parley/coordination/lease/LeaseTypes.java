package dev.parley.coordination.lease;

/** The types of envelopes about leases. */
public final class LeaseTypes {
  /** A session asks for paths. */
  public static final String REQUEST = "lease.request";

  /** A waiting session takes what it was offered. */
  public static final String ACCEPT = "lease.accept";

  public static final String RENEW = "lease.renew";
  public static final String RELEASE = "lease.release";

  /** A waiting session gives up. */
  public static final String CANCEL = "lease.cancel";

  /** An agent ends the lease of another agent and says why. */
  public static final String BREAK = "lease.break";

  /** Another tool reports a lease. It has decided already, so the ledger only records it. */
  public static final String REPORT = "lease.report";

  private LeaseTypes() {}
}
