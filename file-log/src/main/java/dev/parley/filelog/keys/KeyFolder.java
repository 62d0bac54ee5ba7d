package dev.parley.filelog.keys;

import dev.parley.core.ParleyException;
import dev.parley.core.keys.KeyPair;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The private keys of a user's agents on one bus.
 *
 * <pre>
 * &lt;state folder&gt;/keys/&lt;bus id&gt;/   0700
 *   &lt;agent&gt;.key                     0600, a {@link KeyPair}
 * </pre>
 */
public final class KeyFolder {
  private static final String SUFFIX = ".key";
  private static final int LONGEST = 1024;

  private final Path folder;

  public KeyFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * An agent's key pair; null if there is none.
   *
   * @throws ParleyException REFUSED if its file is accessible to others or holds no key
   */
  public @Nullable KeyPair find(String agent) {
    Path file = file(agent);
    try {
      String problem = SafeFiles.exposure(file, SafeFiles.Kind.FILE);
      if (problem != null) {
        throw unusable(file, problem);
      }
      KeyPair read = KeyPair.parse(SafeFiles.readText(file, LONGEST));
      if (read == null) {
        throw unusable(file, "holds no key");
      }
      return read;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  /** An agent's key pair; a new one if it has none. Two processes that ask at once get the same. */
  public KeyPair findOrMake(String agent) {
    KeyPair found = find(agent);
    if (found != null) {
      return found;
    }
    Path file = file(agent);
    try {
      SafeFiles.createPrivateFolders(folder);
      Path made = Files.createTempFile(folder, ".", ".new");
      try {
        SafeFiles.replace(made, KeyPair.generate().toFile().getBytes(StandardCharsets.UTF_8));
        // Linking fails if another process was faster, and the file appears with its whole content.
        Files.createLink(file, made);
      } finally {
        Files.deleteIfExists(made);
      }
    } catch (java.nio.file.FileAlreadyExistsException e) {
      // Use the key of the other process.
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
    KeyPair there = find(agent);
    if (there == null) {
      throw unusable(file, "was just removed");
    }
    return there;
  }

  /** Replaces an agent's key pair. */
  public void replace(String agent, KeyPair key) {
    Path file = file(agent);
    try {
      SafeFiles.createPrivateFolders(folder);
      SafeFiles.replace(file, key.toFile().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  /** The agents with a key in this folder. */
  public Set<String> agents() {
    Set<String> agents = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        agents.add(name.substring(0, name.length() - SUFFIX.length()));
      }
    } catch (NoSuchFileException e) {
      return agents;
    } catch (IOException e) {
      throw IoErrors.reading(folder, e);
    }
    return agents;
  }

  /** Safe as a file name: agent names contain no slash and do not begin with a dot. */
  private Path file(String agent) {
    return folder.resolve(agent + SUFFIX);
  }

  private static ParleyException unusable(Path file, String problem) {
    return ParleyException.refused(
        "unusable-key", "The key file " + file + " " + problem + ".", ParleyException.NEXT_BY_CODE);
  }
}
