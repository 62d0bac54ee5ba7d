package dev.parley.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The git repository that the agents of the demo work in. */
record DemoRepository(Path folder) {
  static DemoRepository create(Path folder) throws IOException, InterruptedException {
    DemoRepository repository = new DemoRepository(folder);
    var _ = repository.git("init", "-q");
    return repository;
  }

  /** Adds a line to a file and commits it; gives back the commit. */
  String commit(String file, String line) throws IOException, InterruptedException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.resolveSibling("."));
    Files.writeString(path, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    var _ = git("add", file);
    var _ = git("-c", "user.name=demo", "-c", "user.email=demo@localhost", "commit", "-qm", line);
    return git("rev-parse", "--short", "HEAD").strip();
  }

  /** Commits need a name and an address. The user's own settings are left alone. */
  void identify() throws IOException, InterruptedException {
    var _ = git("config", "user.name", "demo");
    var _ = git("config", "user.email", "demo@localhost");
  }

  void commitAll(String message) throws IOException, InterruptedException {
    var _ = git("add", "-A");
    var _ = git("commit", "-qm", message);
  }

  void branch(String name) throws IOException, InterruptedException {
    var _ = git("checkout", "-q", "-b", name);
  }

  private String git(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(words));
    Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (git.waitFor() != 0) {
      throw new IOException("git " + String.join(" ", words) + ": " + out.strip());
    }
    return out;
  }
}
