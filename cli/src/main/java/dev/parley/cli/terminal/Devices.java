package dev.parley.cli.terminal;

/** What the streams of a process are connected to. */
public interface Devices {
  int STDIN = 0;
  int STDOUT = 1;
  int STDERR = 2;

  /** Whether a person is at the other end. */
  boolean isTerminal(int stream);

  /** Whether it is the device that takes everything and gives nothing. */
  boolean isNull(int stream);

  /** How many characters a line of the terminal has. */
  int width();
}
