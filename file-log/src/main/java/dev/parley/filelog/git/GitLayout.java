package dev.parley.filelog.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place of the bus in a git repository by reading git's files, because starting git would
 * take longer than most commands. The files are read as bytes, because names and patterns in them
 * may have any encoding.
 *
 * <pre>
 * &lt;root&gt;/.git/                       an ordinary repository    &lt;root&gt;/.parley
 * &lt;tree&gt;/.git → …/.git/worktrees/x    a linked worktree         that of the main one
 * &lt;tree&gt;/.git → bare.git/worktrees/x  a worktree of a bare one  bare.git/.parley
 * bare.git/                           a bare repository         bare.git/.parley
 * &lt;sub&gt;/.git → ../.git/modules/sub    a submodule               ../.git/modules/sub/.parley
 * </pre>
 *
 * @param busHome the folder that the bus folder is in
 * @param gitFolder git's common folder, whose {@code info/exclude} all worktrees share
 */
public record GitLayout(Path busHome, Path gitFolder) {
  private static final String GIT = ".git";

  /**
   * The layout of the repository whose working tree or bare folder is {@code folder}; null if there
   * is none.
   */
  public static @Nullable GitLayout at(Path folder) throws IOException {
    Path git = folder.resolve(GIT);
    if (Files.isDirectory(git)) {
      return of(git);
    }
    if (Files.isRegularFile(git)) {
      String text = path(git);
      if (text.startsWith("gitdir:")) {
        return of(folder.resolve(text.substring("gitdir:".length()).strip()).normalize());
      }
    }
    boolean isBare =
        Files.isRegularFile(folder.resolve("HEAD"))
            && Files.isDirectory(folder.resolve("objects"))
            && Files.isDirectory(folder.resolve("refs"));
    return isBare ? of(folder) : null;
  }

  private static GitLayout of(Path gitFolder) throws IOException {
    Path common = gitFolder;
    Path pointer = gitFolder.resolve("commondir");
    if (Files.isRegularFile(pointer)) {
      common = gitFolder.resolve(path(pointer)).normalize();
    }
    boolean inWorkingTree = GIT.equals(String.valueOf(common.getFileName())) && !isBare(common);
    Path parent = common.getParent();
    return new GitLayout(
        inWorkingTree ? Objects.requireNonNullElse(parent, common) : common, common);
  }

  /** The path in one of git's files. */
  private static String path(Path file) throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (CharacterCodingException e) {
      throw ParleyException.refused(
          "not-utf8",
          "The path that is written in " + file + " is not text in UTF-8.",
          "Move the repository to a path in UTF-8, or name the bus, for example with PARLEY_BUS.");
    }
  }

  private static boolean isBare(Path common) throws IOException {
    Path config = common.resolve("config");
    if (!Files.isRegularFile(config)) {
      return false;
    }
    for (String line : Files.readAllLines(config, ISO_8859_1)) {
      if (line.replace(" ", "").strip().equalsIgnoreCase("bare=true")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Makes git ignore the bus in all worktrees.
   *
   * @return the changed file; null if the bus is not in a working tree
   */
  public @Nullable Path exclude(Path bus) throws IOException {
    if (busHome.equals(gitFolder) || !bus.startsWith(busHome)) {
      return null;
    }
    String pattern = "/" + busHome.relativize(bus).toString().replace('\\', '/') + "/";
    Path exclude = gitFolder.resolve("info").resolve("exclude");
    Files.createDirectories(gitFolder.resolve("info"));
    String text = Files.exists(exclude) ? Files.readString(exclude, ISO_8859_1) : "";
    if (text.lines().noneMatch(new String(pattern.getBytes(UTF_8), ISO_8859_1)::equals)) {
      String before = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
      Files.writeString(
          exclude, before + pattern + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return exclude;
  }
}
