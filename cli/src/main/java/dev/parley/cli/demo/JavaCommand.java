package dev.parley.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How another process of this program is started: the same JVM, flags and jars. */
final class JavaCommand {
  private static final String MAIN = "dev.parley.cli.Parley";

  private JavaCommand() {}

  /** What goes before the program's own arguments. */
  static List<String> ofThisProgram() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
    int main = List.of(own).indexOf(MAIN);
    if (main < 0) {
      // Not every system tells a process its own arguments.
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    } else {
      command.addAll(List.of(own).subList(0, main));
    }
    command.add(MAIN);
    return command;
  }
}
