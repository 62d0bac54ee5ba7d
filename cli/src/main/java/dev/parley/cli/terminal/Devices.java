package dev.parley.cli.terminal;

/** The devices behind a process's streams. */
public interface Devices {
  int STDIN = 0;
  int STDOUT = 1;
  int STDERR = 2;

  /** Whether the stream is a terminal. */
  boolean isTerminal(int stream);

  /** Whether the stream is the null device. */
  boolean isNull(int stream);

  /** The width of the terminal in characters. */
  int width();

  /** The height of the terminal in lines. */
  int height();
}
