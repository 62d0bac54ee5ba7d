package dev.parley.dialects.sync;

/** The types of envelopes that are about mounts. */
public final class MirrorTypes {
  /** A foreign folder or file belongs to the bus; in {@code mounts}. */
  public static final String ADDED = "mount.added";

  /** It does no longer; in {@code mounts}. */
  public static final String REMOVED = "mount.removed";

  /** What was pulled and pushed; in {@code mount.<name>}. */
  public static final String SYNCED = "mount.synced";

  /** Tells somebody that its lock was lost in another tool's files: an automatic mail. */
  public static final String LOCK_LOST = "lock-lost";

  /** Tells the workers of another tool of the same, in the mount's topic. */
  public static final String LOCK_CLOBBERED = "LOCK_CLOBBERED";

  private MirrorTypes() {}
}
