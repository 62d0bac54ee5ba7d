package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import org.jspecify.annotations.Nullable;

/** What a surface offers as the next step after a refusal. */
@FunctionalInterface
public interface NextSteps {
  /** The code under which the step after an unreadable message is asked for; details: id, from. */
  String UNREADABLE = "unreadable-message";

  /** Commands to type. */
  NextSteps SHELL = ShellSteps::after;

  /** Steps that name no command, for a surface that has nothing better. */
  NextSteps PLAIN = (code, details) -> null;

  /**
   * The step in one sentence; null if the plain one will do.
   *
   * @param details what the refusal carries
   */
  @Nullable String after(String code, Fields details);
}
