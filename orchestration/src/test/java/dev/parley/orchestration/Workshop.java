package dev.parley.orchestration;

import dev.parley.coordination.Team;
import dev.parley.core.Reporter;
import dev.parley.core.store.Contents;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.Agents;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A bus in a folder, and agents that are shell scripts. */
public final class Workshop implements AutoCloseable {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>(System.getenv());
  private final Map<String, AgentDefinition> agents = new HashMap<>();
  private RunListener listener = event -> {};
  private final BusFolder bus;
  private final FileLog log;
  private final List<RunEvent> events = Collections.synchronizedList(new ArrayList<>());

  public Workshop(Path folder) {
    this.folder = folder;
    environment.put("PARLEY_STATE", folder.resolve("state").toString());
    environment.remove("PARLEY_BUS");
    environment.remove("PARLEY_SESSION");
    this.bus = BusFolder.init(folder.resolve(".parley"), folder, environment).folder();
    this.log = bus.openLog();
  }

  public Workshop with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** An agent that runs a shell script, with the prompt on its stdin. */
  public Workshop agent(String name, String script) throws IOException {
    return agent(AgentDefinition.of(name, CallMethod.Command.of(script(name, script).toString())));
  }

  public Workshop agent(AgentDefinition definition) {
    agents.put(definition.name(), definition);
    return this;
  }

  public Path script(String name, String script) throws IOException {
    Path file = folder.resolve(name + ".sh");
    Files.writeString(file, "#!/bin/bash\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  public Path folder() {
    return folder;
  }

  public FileLog log() {
    return log;
  }

  public Contents contents() {
    return bus.contents();
  }

  /** Has somebody told of what happens in runs. */
  public Workshop onEvent(RunListener also) {
    listener = also;
    return this;
  }

  public List<RunEvent> events() {
    return events;
  }

  public RunContext context() {
    Team team = new Team(log, bus.views(), bus.contents(), Reporter.TO_LOG, InstantSource.system());
    return new RunContext(
        log,
        bus.contents(),
        team,
        bus.path(),
        folder.resolve("runs"),
        null,
        Agents.of(agents.values()),
        environment,
        "orchestrator",
        event -> {
          events.add(event);
          listener.on(event);
        });
  }

  @Override
  public void close() {
    log.close();
  }
}
