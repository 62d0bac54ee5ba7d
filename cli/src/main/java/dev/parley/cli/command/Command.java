package dev.parley.cli.command;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import java.io.IOException;

/** A command of {@code parley}. */
public interface Command {
  Description description();

  /**
   * Whether mounted files are synchronised before and after it. A command that needs no bus, or
   * only examines one, leaves all files alone.
   */
  default boolean keepsInStep() {
    return true;
  }

  /**
   * Whether it runs agents with these arguments. Then Conclave's bus folder, if one was named, is
   * created for the command and removed at its end.
   */
  default boolean runsAgents(Arguments arguments) {
    return false;
  }

  /**
   * Whether {@code BUS_DIR} names the folder for the command's own boards. Then the variable is
   * ignored when the bus is looked for, unless it names a bus.
   */
  default boolean makesBoards() {
    return false;
  }

  /**
   * Runs the command.
   *
   * @return the exit code
   * @throws dev.parley.core.ParleyException if it fails, with the next step
   */
  int run(Invocation invocation) throws IOException, InterruptedException;
}
