package dev.parley.orchestration.settings;

import dev.parley.filelog.trust.TrustedFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A file of a repository that would decide which programs run and where keys are sent. */
public final class RepositoryFile {
  private final Path path;
  private final byte[] content;
  private final boolean trusted;

  RepositoryFile(Path path, byte[] content, boolean trusted) {
    this.path = path;
    this.content = content;
    this.trusted = trusted;
  }

  public Path path() {
    return path;
  }

  /** Whether the user has accepted its current content. */
  public boolean trusted() {
    return trusted;
  }

  String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  /** Records that the user accepts its current content. */
  public void accept(Map<String, String> environment) {
    TrustedFiles.of(environment).accept(path, content);
  }

  /** Its text for the user's decision; the values of keys in {@code .env} are left out. */
  public List<String> shown() {
    if (!path.endsWith(DotEnv.NAME)) {
      return text().lines().toList();
    }
    return DotEnv.parse(text()).entrySet().stream()
        .map(each -> isShown(each.getKey()) ? each.getKey() + "=" + each.getValue() : each.getKey())
        .toList();
  }

  private static boolean isShown(String name) {
    return name.endsWith("_BASE_URL") || name.endsWith("_MODEL");
  }
}
