package dev.parley.coordination.task;

/** The types of envelopes about tasks. */
public final class TaskTypes {
  public static final String ADD = "task.add";
  public static final String CLAIM = "task.claim";

  /** A session asks for the next task that it can do. */
  public static final String NEXT = "task.next";

  public static final String PROGRESS = "task.progress";

  /** The owner can't go on, and says what it waits for. */
  public static final String BLOCK = "task.block";

  public static final String DONE = "task.done";
  public static final String FAIL = "task.fail";

  /** The owner gives the task back. */
  public static final String RELEASE = "task.release";

  public static final String RETRY = "task.retry";
  public static final String CANCEL = "task.cancel";

  private TaskTypes() {}
}
