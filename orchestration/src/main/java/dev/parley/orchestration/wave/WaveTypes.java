package dev.parley.orchestration.wave;

/** The envelope types that waves write to the topic of their run. */
public final class WaveTypes {
  /** A worker's session begins; a resumed run ends it. */
  public static final String SESSION = "wave.session";

  /** A task enters a state. */
  public static final String TASK = "wave.task";

  /** A remark for people. */
  public static final String REMARK = "wave.remark";

  private WaveTypes() {}
}
