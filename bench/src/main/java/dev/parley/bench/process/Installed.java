package dev.parley.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Parley as a user has it: installed, with its start-up cache and a bus, all in one folder. */
public final class Installed {
  private final Path folder;

  private Installed(Path folder) {
    this.folder = folder.toAbsolutePath();
  }

  public static Installed in(Path folder) throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("parley.root", "."));
    Installed installed = new Installed(folder);
    Program.run(
        List.of(
            root.resolve("parley").toString(),
            "install",
            "--prefix",
            installed.folder.resolve("prefix").toString()),
        Map.of());
    Program.run(installed.command("init"), installed.environment());
    return installed;
  }

  /** A command line of it. */
  public List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve("prefix/bin/parley").toString());
    command.addAll(List.of(words));
    return command;
  }

  public Map<String, String> environment() {
    return Map.of(
        "PARLEY_BUS",
        folder.resolve("bus").toString(),
        "PARLEY_STATE",
        folder.resolve("state").toString());
  }
}
