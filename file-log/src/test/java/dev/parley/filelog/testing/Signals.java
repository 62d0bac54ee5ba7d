package dev.parley.filelog.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;

/**
 * Sends signals through one running shell, within microseconds; starting a program for each would
 * take longer.
 */
public final class Signals {
  private static final Signals SHELL = new Signals();

  private final OutputStream commands;
  private final BufferedReader answers;

  private Signals() {
    try {
      Process shell = new ProcessBuilder("bash").redirectErrorStream(true).start();
      commands = shell.getOutputStream();
      answers = new BufferedReader(new InputStreamReader(shell.getInputStream(), US_ASCII));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void send(String signal, long pid) throws IOException {
    synchronized (SHELL) {
      String command = "kill -" + signal + " " + pid + " && echo sent\n";
      SHELL.commands.write(command.getBytes(US_ASCII));
      SHELL.commands.flush();
      String answer = SHELL.answers.readLine();
      if (!"sent".equals(answer)) {
        throw new IOException(answer);
      }
    }
  }
}
