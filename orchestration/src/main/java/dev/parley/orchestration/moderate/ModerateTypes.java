package dev.parley.orchestration.moderate;

/** The envelope types that moderated projects write to the topic of their run. */
public final class ModerateTypes {
  /** The moderator's or tech lead's session begins; a resumed run ends it. */
  public static final String SESSION = "moderate.session";

  /** The project enters a phase. */
  public static final String PHASE = "moderate.phase";

  /** The tasks of the requirements. */
  public static final String TASKS = "moderate.tasks";

  /** The improvements found, best first. */
  public static final String IMPROVEMENTS = "moderate.improvements";

  /** A message between agents; the mail follows this line. */
  public static final String MESSAGE = "moderate.message";

  /** Work on a task begins in a worktree. */
  public static final String WORK = "moderate.work";

  /** A remark for people. */
  public static final String REMARK = "moderate.remark";

  private ModerateTypes() {}
}
