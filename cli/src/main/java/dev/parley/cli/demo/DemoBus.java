package dev.parley.cli.demo;

import dev.parley.filelog.BusFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The repository of the demo, its bus, and its processes. The processes end when this is closed or
 * when this process is terminated. The bus stays, to be looked at.
 */
final class DemoBus implements AutoCloseable {
  private final DemoRepository repository;
  private final BusFolder folder;
  private final Thread hook = new Thread(this::clear, "clear the stage");
  private @Nullable DemoProcesses processes;

  private DemoBus(DemoRepository repository, BusFolder folder) {
    this.repository = repository;
    this.folder = folder;
  }

  static DemoBus set(Map<String, String> environment) throws IOException, InterruptedException {
    Path path = Files.createTempDirectory("parley-demo-").toRealPath();
    DemoRepository repository = DemoRepository.create(path);
    BusFolder folder = BusFolder.init(path.resolve(BusFolder.NAME), path, environment).folder();
    DemoBus demoBus = new DemoBus(repository, folder);
    Runtime.getRuntime().addShutdownHook(demoBus.hook);
    return demoBus;
  }

  BusFolder folder() {
    return folder;
  }

  synchronized DemoProcesses start(long seed, Duration pace) throws IOException {
    DemoProcesses started = DemoProcesses.start(folder.path(), repository.folder(), seed, pace);
    processes = started;
    return started;
  }

  private synchronized void clear() {
    if (processes != null) {
      processes.close();
    }
  }

  @Override
  public void close() {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, so no hook is needed.
    }
  }
}
