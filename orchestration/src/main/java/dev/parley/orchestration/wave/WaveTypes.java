package dev.parley.orchestration.wave;

/** The types of envelopes that waves write to the topic of their run. */
public final class WaveTypes {
  /** A worker's session begins; it is ended when the run is resumed. */
  public static final String SESSION = "wave.session";

  /** A task has come to a state. */
  public static final String TASK = "wave.task";

  /** Something that people should know. */
  public static final String REMARK = "wave.remark";

  private WaveTypes() {}
}
