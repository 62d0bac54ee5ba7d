package dev.parley.orchestration.gate;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;

/**
 * A command that must succeed.
 *
 * @param name such as {@code test}
 * @param command the program and its arguments
 * @param timeout after which it and its child processes are killed and the gate has failed
 */
public record Gate(String name, List<String> command, Duration timeout) {
  public static final String TEST = "test";

  public Gate {
    command = List.copyOf(command);
  }

  /** A gate that is a shell command line from a settings file. */
  public static Gate ofShell(String name, String line, Duration timeout) {
    return new Gate(name, List.of("sh", "-c", line), timeout);
  }

  /** The command as typed. */
  public String line() {
    boolean shell = command.size() == 3 && command.subList(0, 2).equals(List.of("sh", "-c"));
    return shell ? command.getLast() : String.join(" ", command);
  }

  /** The JSON that runs keep in their parameters. */
  public Json save() {
    return Json.object()
        .put("name", name)
        .put("command", Json.ofStrings(command))
        .put("millis", timeout.toMillis())
        .build();
  }

  public static Gate load(Fields saved) {
    return new Gate(
        saved.text("name", ""),
        saved.texts("command"),
        Duration.ofMillis(saved.number("millis", 0)));
  }
}
