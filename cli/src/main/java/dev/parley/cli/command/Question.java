package dev.parley.cli.command;

import dev.parley.cli.terminal.Devices;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Asks the user at the terminal. */
public final class Question {
  private static final int LONGEST_ANSWER = 100;

  private Question() {}

  public static boolean canBeAsked(Invocation invocation) {
    return invocation.shell().devices().isTerminal(Devices.STDIN);
  }

  /** Whether the answer is yes. Any other answer, or the end of input, is no. */
  public static boolean isYes(Invocation invocation, String question) throws IOException {
    invocation.out().flush();
    invocation.notices().line(question);
    String answer = line(invocation.shell().in()).strip().toLowerCase(Locale.ROOT);
    return answer.equals("y") || answer.equals("yes");
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read();
        next >= 0 && next != '\n' && line.length() < LONGEST_ANSWER;
        next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }
}
