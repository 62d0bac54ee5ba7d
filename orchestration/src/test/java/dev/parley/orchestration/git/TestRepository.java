package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A repository of its own for a test. */
public record TestRepository(Path folder, Git git) {
  public static TestRepository create(Path folder) throws IOException {
    Files.createDirectories(folder);
    Git git = new Git(folder);
    git.run("init", "--quiet", "--initial-branch=main");
    git.run("config", "user.name", "tester");
    git.run("config", "user.email", "tester@localhost");
    git.run("config", "commit.gpgsign", "false");
    git.run("config", "gc.auto", "0");
    TestRepository repository = new TestRepository(folder, git);
    repository.commit("README", "hello\n");
    return repository;
  }

  public void write(String file, String text) throws IOException {
    write(folder, file, text);
  }

  public static void write(Path folder, String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.resolveSibling("."));
    Files.writeString(path, text);
  }

  public String commit(String file, String text) throws IOException {
    write(file, text);
    git.run("add", "--all");
    git.run("commit", "--quiet", "-m", "change " + file);
    return git.run("rev-parse", "HEAD");
  }
}
