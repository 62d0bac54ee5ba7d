package dev.parley.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes of the demo. */
final class Team implements AutoCloseable {
  private final List<Process> members = new ArrayList<>();

  /** Starts one process for each role on a bus. */
  static Team start(Path bus) throws IOException {
    Team team = new Team();
    try {
      for (String role : Role.NAMES) {
        List<String> command = new ArrayList<>(JavaCommand.ofThisProgram());
        command.addAll(List.of("--bus", bus.toString(), "--as", role, DemoAgent.NAME, role));
        team.members.add(
            new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
      }
      return team;
    } catch (IOException e) {
      team.close();
      throw e;
    }
  }

  /** Whether somebody ended with an error, which is on stderr already. */
  boolean hasFailed() {
    return members.stream().anyMatch(member -> !member.isAlive() && member.exitValue() != 0);
  }

  String processIds() {
    return String.join(", ", members.stream().map(Process::pid).map(String::valueOf).toList());
  }

  /** Ends those that still run, and waits until they are gone. */
  @Override
  public void close() {
    members.forEach(Process::destroyForcibly);
    members.forEach(member -> member.onExit().join());
  }
}
