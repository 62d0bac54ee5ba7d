package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import org.jspecify.annotations.Nullable;

/** The next step that a surface offers after a refusal. */
@FunctionalInterface
public interface NextSteps {
  /** The code for the step after an unreadable message; its details are id and from. */
  String UNREADABLE = "unreadable-message";

  /** Commands to type. */
  NextSteps SHELL = ShellSteps::after;

  /** No steps of its own, for a surface without commands or tools: the plain ones are used. */
  NextSteps PLAIN = (code, details) -> null;

  /**
   * The step in one sentence; null to use the plain one.
   *
   * @param details the details of the refusal
   */
  @Nullable String after(String code, Fields details);
}
