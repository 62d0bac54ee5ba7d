package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A repository of its own for a test: a copy of one that is made once. */
public record TestRepository(Path folder, Git git) {
  private static Path template = Path.of("");

  public static TestRepository create(Path folder) throws IOException {
    Path from = template();
    Files.createDirectories(folder.toAbsolutePath().getParent());
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Files.copy(path, folder.resolve(from.relativize(path).toString()));
      }
    }
    return new TestRepository(folder, new Git(folder));
  }

  /** Starting git a dozen times for each test takes longer than most tests. */
  private static synchronized Path template() throws IOException {
    if (template.toString().isEmpty()) {
      Path folder = Files.createTempDirectory("parley-template").resolve("repository");
      Files.createDirectory(folder);
      Git git = new Git(folder);
      git.run("init", "--quiet", "--initial-branch=main", "--template=");
      Files.createDirectories(folder.resolve(".git/hooks"));
      Files.writeString(
          folder.resolve(".git/config"),
          """
          [user]
          \tname = tester
          \temail = tester@localhost
          [commit]
          \tgpgsign = false
          [gc]
          \tauto = 0
          """,
          java.nio.file.StandardOpenOption.APPEND);
      new TestRepository(folder, git).commit("README", "hello\n");
      folder.toFile().deleteOnExit();
      template = folder;
    }
    return template;
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
