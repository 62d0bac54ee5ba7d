package dev.parley.dialects.sync;

/** The envelope types about mounts. */
public final class MirrorTypes {
  /** A foreign folder or file was mounted; in {@code mounts}. */
  public static final String ADDED = "mount.added";

  /** It was unmounted; in {@code mounts}. */
  public static final String REMOVED = "mount.removed";

  /** The notes of a pass; in {@code mount.<name>}. */
  public static final String SYNCED = "mount.synced";

  /** Tells a lease holder that another tool took its lock in the files: an automatic mail. */
  public static final String LOCK_LOST = "lock-lost";

  /** Tells the other tool's workers the same, in the mount's topic. */
  public static final String LOCK_CLOBBERED = "LOCK_CLOBBERED";

  private MirrorTypes() {}
}
