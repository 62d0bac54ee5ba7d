package dev.parley.orchestration.loop;

import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.prompt.QuotedWords;
import java.util.List;

/** The prompts of a loop. */
final class LoopPrompts {
  static final String PASS = "SPEC_PASS";
  private static final int MOST_DIFF = 200_000;

  private LoopPrompts() {}

  static String implement(
      LoopSettings settings, String run, String branch, String context, boolean shift) {
    StringBuilder prompt = new StringBuilder();
    if (shift) {
      prompt.append(
          """
          STRATEGY SHIFT: the last attempts failed in the same way. Do not go on with this approach.
          Choose another: another algorithm, another library, something simpler, or smaller steps.

          """);
    }
    prompt
        .append(settings.task().strip())
        .append("\n\n## Previous Attempt Context\n\n")
        .append(QuotedWords.quote("the context file", context))
        .append(
            """


            ## How your work is checked

            - Work in the current folder only. Programs check the result: tests, gates, the difference
              to the start. What you say about it does not count.
            - Leave your changes in the files; they are committed for you. If you commit yourself, end
              the message with these two lines:
            """)
        .append("    " + Trailers.RUN + ": " + run + "\n")
        .append("    " + Trailers.TASK + ": " + settings.name() + "\n")
        .append(
            """
            - Stay on the branch %s.
            - Others work beside you. Tell them what they should know, anywhere in your answer:
                <!-- BUS:discovery -->a fact that helps them<!-- /BUS -->
                <!-- BUS:warning -->something to beware of<!-- /BUS -->
                <!-- BUS:intent -->what you are about to change<!-- /BUS -->
            """
                .formatted(branch));
    return prompt.toString();
  }

  static String spec(LoopSettings settings, String diff) {
    String shown =
        diff.length() <= MOST_DIFF
            ? diff
            : diff.substring(0, MOST_DIFF)
                + "\n(cut: "
                + (diff.length() - MOST_DIFF)
                + " characters left out)";
    return "Check whether a change does what its task asks for.\n\nThe task:\n\n"
        + QuotedWords.quote("the task", settings.task())
        + "\n\nThe change:\n\n"
        + QuotedWords.quote("the change", shown)
        + "\n\nIf every requirement of the task is met, answer with a line that is exactly "
        + PASS
        + ".\nOtherwise list what is missing, most important first, and do not write that line.\n";
  }

  /** Whether an answer has the pass word alone on a line. */
  static boolean passes(String answer) {
    List<String> lines = answer.lines().map(String::strip).toList();
    return lines.contains(PASS);
  }
}
