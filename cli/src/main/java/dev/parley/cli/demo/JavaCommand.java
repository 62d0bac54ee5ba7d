package dev.parley.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line for another process of this program: the same JVM, flags and jars. */
final class JavaCommand {
  private static final String MAIN = "dev.parley.cli.Main";

  private JavaCommand() {}

  /** The part before the program's own arguments. */
  static List<String> ofThisProgram() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
    int main = List.of(own).indexOf(MAIN);
    if (main < 0) {
      // On some systems a process can't read its own arguments.
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    } else {
      command.addAll(List.of(own).subList(0, main));
    }
    command.add(MAIN);
    return command;
  }
}
