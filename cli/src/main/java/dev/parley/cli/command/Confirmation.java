package dev.parley.cli.command;

import dev.parley.cli.terminal.Devices;
import dev.parley.core.ParleyException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Asks the person at the terminal before something is done.
 *
 * @param command what answers the question without a terminal, such as {@code parley trust --yes}
 * @param otherwise what to do instead of agreeing
 */
public record Confirmation(String question, String command, String otherwise) {
  private static final int LONGEST_ANSWER = 100;

  /**
   * Returns if the answer is yes.
   *
   * @throws ParleyException REFUSED if it is not, or nobody can be asked
   */
  public void ask(Invocation invocation) throws IOException {
    if (!invocation.shell().devices().isTerminal(Devices.STDIN)) {
      throw ParleyException.refused(
          "nobody-to-ask",
          "There is no terminal to ask on, so nothing was changed.",
          "If you are sure: " + command);
    }
    invocation.out().flush();
    invocation.notices().line(question + " [y/N]");
    String answer = line(invocation.shell().in()).strip().toLowerCase(Locale.ROOT);
    if (!answer.equals("y") && !answer.equals("yes")) {
      throw ParleyException.refused("not-accepted", "Nothing was changed.", otherwise);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n' && line.length() < LONGEST_ANSWER) {
      line.append((char) next);
      next = in.read();
    }
    return line.toString();
  }
}
