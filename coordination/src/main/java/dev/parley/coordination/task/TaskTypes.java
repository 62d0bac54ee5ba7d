package dev.parley.coordination.task;

/** The types of envelopes about tasks. */
public final class TaskTypes {
  public static final String ADD = "task.add";
  public static final String CLAIM = "task.claim";

  /** A session asks for whichever task is the next that it can do. */
  public static final String NEXT = "task.next";

  public static final String PROGRESS = "task.progress";

  /** Its owner can't go on, and says for what it waits. */
  public static final String BLOCK = "task.block";

  public static final String DONE = "task.done";
  public static final String FAIL = "task.fail";

  /** Its owner gives it back. */
  public static final String RELEASE = "task.release";

  public static final String RETRY = "task.retry";
  public static final String CANCEL = "task.cancel";

  private TaskTypes() {}
}
