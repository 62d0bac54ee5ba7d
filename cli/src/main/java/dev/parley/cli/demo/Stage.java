package dev.parley.cli.demo;

import dev.parley.filelog.BusFolder;
import dev.parley.filelog.EphemeralBus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bus folder of the demo and the processes on it. They go when it is closed, and when this
 * process is told to end.
 */
final class Stage implements AutoCloseable {
  private final BusFolder folder;
  private final @Nullable EphemeralBus ephemeral;
  private final Thread hook = new Thread(this::clear, "clear the stage");
  private @Nullable Team team;

  private Stage(BusFolder folder, @Nullable EphemeralBus ephemeral) {
    this.folder = folder;
    this.ephemeral = ephemeral;
  }

  static Stage set(Map<String, String> environment, boolean keep) throws IOException {
    Path path = Files.createTempDirectory("parley-demo-");
    EphemeralBus ephemeral = keep ? null : EphemeralBus.create(path, environment);
    BusFolder folder =
        ephemeral != null ? ephemeral.folder() : BusFolder.init(path, path, environment).folder();
    Stage stage = new Stage(folder, ephemeral);
    Runtime.getRuntime().addShutdownHook(stage.hook);
    return stage;
  }

  BusFolder folder() {
    return folder;
  }

  synchronized Team start() throws IOException {
    Team started = Team.start(folder.path());
    team = started;
    return started;
  }

  private synchronized void clear() {
    if (team != null) {
      team.close();
    }
    if (ephemeral != null) {
      ephemeral.close();
    }
  }

  @Override
  public void close() {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook has nothing left to do.
    }
  }
}
