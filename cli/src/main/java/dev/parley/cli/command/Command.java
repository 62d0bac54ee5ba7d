package dev.parley.cli.command;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import java.io.IOException;

/** Something that {@code parley} does. */
public interface Command {
  Description description();

  /**
   * Whether mounted files are brought in step before and after it. A command that needs no bus, or
   * only examines one, leaves all files as they are.
   */
  default boolean keepsInStep() {
    return true;
  }

  /**
   * Whether it runs agents with these arguments. Then the bus folder of Conclave that was named is
   * made for it, and removed when it ends.
   */
  default boolean runsAgents(Arguments arguments) {
    return false;
  }

  /**
   * Whether {@code BUS_DIR} names the folder that it makes for boards of its own. Then the bus is
   * found as if it were not set, unless it names a bus.
   */
  default boolean makesBoards() {
    return false;
  }

  /**
   * Does it.
   *
   * @return the exit code
   * @throws dev.parley.core.ParleyException if it can't be done, with what to do next
   */
  int run(Invocation invocation) throws IOException, InterruptedException;
}
