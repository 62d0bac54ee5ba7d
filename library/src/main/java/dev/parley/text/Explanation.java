package dev.parley.text;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.function.Function;

/**
 * Why something could not be done, and what to do next, in words.
 *
 * <p>The message is the same on every surface. The next step depends on the surface: a command in a
 * shell, a tool for a model.
 */
public record Explanation(String message, String next) {
  /** For a person or an agent at a shell, with times in UTC. */
  public static Explanation of(ParleyException error) {
    return of(error, NextSteps.SHELL, Timestamps::format);
  }

  /**
   * For another surface.
   *
   * @param steps the next steps that this surface offers
   * @param times the format of times on this surface
   */
  public static Explanation of(
      ParleyException error, NextSteps steps, Function<Instant, String> times) {
    if (error.isWorded() && !error.next().equals(ParleyException.NEXT_BY_CODE)) {
      return new Explanation(error.what(), error.next());
    }
    if (error.isWorded()) {
      Fields none = Fields.of(error.details());
      return new Explanation(error.what(), next(steps, error.code(), none));
    }
    Fields details = Fields.of(error.details());
    if (error.getCause() instanceof ParleyException cause && details.text("id") != null) {
      return unreadable(details, of(cause, steps, times), steps);
    }
    return new Explanation(
        Messages.of(error.code(), details, times), next(steps, error.code(), details));
  }

  /** What went wrong, in the middle of another sentence or line; of any error. */
  public static String messageOf(Exception error) {
    return error instanceof ParleyException known
        ? of(known).message
        : String.valueOf(error.getMessage());
  }

  private static Explanation unreadable(Fields letter, Explanation why, NextSteps steps) {
    return new Explanation(
        "The message "
            + letter.text("id")
            + " from "
            + letter.text("from")
            + " cannot be read: "
            + why.message,
        why.next + " " + next(steps, NextSteps.UNREADABLE, letter));
  }

  private static String next(NextSteps steps, String code, Fields details) {
    String step = steps.after(code, details);
    return step == null ? PlainSteps.after(code, details) : step;
  }
}
