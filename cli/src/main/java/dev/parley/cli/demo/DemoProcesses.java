package dev.parley.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The processes of the demo. */
final class DemoProcesses implements AutoCloseable {
  private final Map<String, Process> members = new LinkedHashMap<>();

  /** Starts a process for everyone in the cast. */
  static DemoProcesses start(Path bus, Path repository, long seed, Duration pace)
      throws IOException {
    DemoProcesses processes = new DemoProcesses();
    try {
      for (String role : DemoStory.CAST) {
        List<String> command = new ArrayList<>(JavaCommand.ofThisProgram());
        command.addAll(List.of("--bus", bus.toString(), DemoAgent.NAME, role));
        command.addAll(List.of("--", Long.toString(seed), Long.toString(pace.toMillis())));
        processes.members.put(
            role,
            new ProcessBuilder(command)
                .directory(repository.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
      }
      return processes;
    } catch (IOException e) {
      processes.close();
      throw e;
    }
  }

  /** Kills one of them, without a chance to say anything; returns its process id. */
  long kill(String role) {
    Process process = Objects.requireNonNull(members.remove(role));
    process.destroyForcibly().onExit().join();
    return process.pid();
  }

  /** Whether a process ended with an error, which is on stderr already. */
  boolean hasFailed() {
    return members.values().stream()
        .anyMatch(member -> !member.isAlive() && member.exitValue() != 0);
  }

  boolean hasEnded() {
    return members.values().stream().noneMatch(Process::isAlive);
  }

  /** Ends the processes that still run, and waits for them. */
  @Override
  public void close() {
    members.values().forEach(Process::destroyForcibly);
    members.values().forEach(member -> member.onExit().join());
  }
}
