package dev.parley.orchestration.moderate;

/** The types of envelopes that moderated projects write to the topic of their run. */
public final class ModerateTypes {
  /** The moderator's or tech lead's session begins; it is ended when the run is resumed. */
  public static final String SESSION = "moderate.session";

  /** The project has come to a phase. */
  public static final String PHASE = "moderate.phase";

  /** The tasks that the requirements were split into. */
  public static final String TASKS = "moderate.tasks";

  /** The improvements that were found, the best first. */
  public static final String IMPROVEMENTS = "moderate.improvements";

  /** One agent told another something; the mail follows this line. */
  public static final String MESSAGE = "moderate.message";

  /** Work on a task begins in a worktree. */
  public static final String WORK = "moderate.work";

  /** Something that people should know. */
  public static final String REMARK = "moderate.remark";

  private ModerateTypes() {}
}
