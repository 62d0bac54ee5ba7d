package dev.parley.filelog.trust;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.store.Contents;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.git.GitLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The settings files in repositories whose content this user has accepted. Such files can start
 * programs and send keys elsewhere. A file that has changed since is not accepted.
 *
 * <pre>
 * &lt;state&gt;/files/               0700, beside the registry of buses
 *   &lt;digest of the path&gt;.json  0600, {"path":…,"digests":[…]}
 * </pre>
 *
 * <p>A file in a linked worktree counts as the file in the main working tree, so a content is
 * accepted once for a repository and not in each worktree.
 */
public final class TrustedFiles {
  /**
   * Branches have different contents. The oldest digests are dropped; the user is then asked again.
   */
  private static final int MOST_DIGESTS = 16;

  private static final int NAME_DIGITS = 32;

  private final Path folder;

  private TrustedFiles(Path folder) {
    this.folder = folder;
  }

  /** The accepted files of the user with this environment. */
  public static TrustedFiles of(Map<String, String> environment) {
    return new TrustedFiles(TrustedBuses.of(environment).folder().resolve("files"));
  }

  public boolean isTrusted(Path file, byte[] content) {
    try {
      return digests(identity(file)).contains(Contents.digest(content));
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  /** Stores that the user accepted this content of the file. */
  public void accept(Path file, byte[] content) {
    try {
      SafeFiles.createPrivateFolders(folder);
      Path identity = identity(file);
      List<String> digests = new ArrayList<>(digests(identity));
      String digest = Contents.digest(content);
      digests.remove(digest);
      digests.addFirst(digest);
      Json entry =
          Json.object()
              .put("path", identity.toString())
              .put(
                  "digests",
                  Json.ofStrings(digests.subList(0, Math.min(digests.size(), MOST_DIGESTS))))
              .build();
      SafeFiles.replace(entry(identity), (entry + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      IoErrors trouble = IoErrors.writing(folder, e);
      throw new ParleyException(
          ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), e);
    }
  }

  /** The corresponding path in the main working tree of the repository. */
  private static Path identity(Path file) throws IOException {
    Path real = file.toRealPath();
    Path parent = Objects.requireNonNull(real.getParent());
    GitLayout git = GitLayout.at(parent);
    return git == null ? real : git.busHome().toRealPath().resolve(real.getFileName());
  }

  private Path entry(Path identity) {
    String digest = Contents.digest(identity.toString().getBytes(StandardCharsets.UTF_8));
    return folder.resolve(
        digest.substring(digest.indexOf(':') + 1).substring(0, NAME_DIGITS) + ".json");
  }

  private List<String> digests(Path identity) throws IOException {
    Path entry = entry(identity);
    if (!Files.exists(entry)) {
      return List.of();
    }
    checkPrivate(folder, SafeFiles.Kind.FOLDER);
    checkPrivate(entry, SafeFiles.Kind.FILE);
    try {
      Map<String, Json> fields = Json.parse(Files.readString(entry)).fields();
      Json path = fields.get("path");
      Json digests = fields.get("digests");
      return path == null || digests == null || !identity.toString().equals(path.text())
          ? List.of()
          : digests.items().stream().map(Json::text).filter(Objects::nonNull).toList();
    } catch (JsonException | NoSuchFileException e) {
      return List.of();
    }
  }

  private static void checkPrivate(Path path, SafeFiles.Kind kind) throws IOException {
    String problem = SafeFiles.exposure(path, kind);
    if (problem != null) {
      throw ParleyException.refused(
          "unsafe-registry",
          path + " " + problem + ": it can't say which files you trust.",
          "Look at it, then make it yours alone.");
    }
  }
}
