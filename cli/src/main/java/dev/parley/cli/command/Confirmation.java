package dev.parley.cli.command;

import dev.parley.core.ParleyException;
import java.io.IOException;

/**
 * Asks the person at the terminal before something is done.
 *
 * @param command what answers the question without a terminal, such as {@code parley trust --yes}
 * @param otherwise what to do instead of agreeing
 */
public record Confirmation(String question, String command, String otherwise) {
  /**
   * Returns if the answer is yes.
   *
   * @throws ParleyException REFUSED if it is not, or nobody can be asked
   */
  public void ask(Invocation invocation) throws IOException {
    if (!Question.canBeAsked(invocation)) {
      throw ParleyException.refused(
          "nobody-to-ask",
          "There is no terminal to ask on, so nothing was changed.",
          "If you are sure: " + command);
    }
    if (!Question.isYes(invocation, question + " [y/N]")) {
      throw ParleyException.refused("not-accepted", "Nothing was changed.", otherwise);
    }
  }
}
