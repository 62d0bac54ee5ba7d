package dev.parley.orchestration.settings;

import dev.parley.core.ParleyException;
import dev.parley.filelog.trust.TrustedFiles;
import dev.parley.orchestration.agent.Agents;
import dev.parley.orchestration.ask.RunLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All settings that apply in a folder to agents that run as programs.
 *
 * <p>Precedence, strongest first: flags, the environment, the repository's {@code parley.toml}, the
 * user's {@code parley.toml}, presets. The repository's {@code .env}, then the home folder's, sets
 * variables that are not set; programs that are started get them as well.
 */
public final class Settings {
  /** The known tables; each is read by the class it belongs to. */
  private static final List<String> TABLES =
      List.of("agents", "limits", "consensus", "board", "work", "moderate");

  private static final int MOST_BYTES = 1 << 20;

  private final SettingsTable root;
  private final Map<String, String> environment;
  private final List<RepositoryFile> files;

  private Settings(
      SettingsTable root, Map<String, String> environment, List<RepositoryFile> files) {
    this.root = root;
    this.environment = Map.copyOf(environment);
    this.files = List.copyOf(files);
  }

  /**
   * Reads the settings of a folder.
   *
   * @throws ParleyException INVALID if a file that counts can't be parsed
   */
  public static Settings load(Path folder, Map<String, String> environment) {
    List<RepositoryFile> repository = repositoryFiles(folder, environment);
    List<SettingsFile> files = new ArrayList<>();
    Map<String, String> filled = new LinkedHashMap<>(environment);
    for (RepositoryFile file : repository) {
      if (file.trusted() && file.path().endsWith(SettingsFile.NAME)) {
        files.add(SettingsFile.parse(file.path(), file.text()));
      } else if (file.trusted()) {
        fill(filled, file.text());
      }
    }
    Path home = home(environment);
    byte[] own = home == null ? null : read(home.resolve(DotEnv.NAME));
    if (own != null) {
      fill(filled, text(own));
    }
    Path user = userFile(environment);
    byte[] settings = user == null ? null : read(user);
    if (user != null && settings != null) {
      files.add(SettingsFile.parse(user, text(settings)));
    }
    SettingsTable root = SettingsTable.of(files);
    TABLES.forEach(root::section);
    root.end();
    return new Settings(root, filled, repository);
  }

  private static String text(byte[] content) {
    return new String(content, StandardCharsets.UTF_8);
  }

  private static void fill(Map<String, String> environment, String text) {
    DotEnv.parse(text)
        .forEach((name, value) -> {
          if (environment.getOrDefault(name, "").isEmpty()) {
            environment.put(name, value);
          }
        });
  }

  /** The files of the folder's repository that count once they are accepted. */
  public static List<RepositoryFile> repositoryFiles(Path folder, Map<String, String> environment) {
    List<RepositoryFile> files = new ArrayList<>();
    Path root = root(folder);
    for (String name : List.of(SettingsFile.NAME, DotEnv.NAME)) {
      Path path = root.resolve(name);
      byte[] content =
          path.equals(userFile(environment)) || root.equals(home(environment)) ? null : read(path);
      if (content != null) {
        boolean trusted = TrustedFiles.of(environment).isTrusted(path, content);
        files.add(new RepositoryFile(path, content, trusted));
      }
    }
    return files;
  }

  /** The root of the folder's repository; outside of one, the folder itself. */
  private static Path root(Path folder) {
    for (Path each = folder; each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(".git"))) {
        return each;
      }
    }
    return folder;
  }

  private static @Nullable Path home(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return home.startsWith("/") ? Path.of(home) : null;
  }

  /** The user's own settings file; null if there is no place for it. */
  public static @Nullable Path userFile(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path home = home(environment);
    Path config =
        xdg.startsWith("/") ? Path.of(xdg) : home == null ? null : home.resolve(".config");
    return config == null ? null : config.resolve("parley").resolve(SettingsFile.NAME);
  }

  private static byte @Nullable [] read(Path path) {
    try {
      if (!Files.isRegularFile(path)) {
        return null;
      }
      if (Files.size(path) > MOST_BYTES) {
        throw ParleyException.invalid(
            "bad-settings", path + " is longer than " + MOST_BYTES + " bytes.", "Shorten it.");
      }
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "settings-unreadable",
          path + " can't be read: " + e.getMessage() + ".",
          "Look at its rights.",
          e);
    }
  }

  /** The environment with the variables from {@code .env}. */
  public Map<String, String> environment() {
    return environment;
  }

  /** A variable; null if it is unset or empty. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Files of the repository that do not count because the user has not accepted them. */
  public List<Path> untrusted() {
    return files.stream().filter(file -> !file.trusted()).map(RepositoryFile::path).toList();
  }

  /** A table of the settings, such as {@code consensus}. The caller must call its {@code end}. */
  public SettingsTable section(String name) {
    return root.section(name);
  }

  /** The agents that can be asked: found presets, and those that files define. */
  public Agents agents() {
    return AgentSettings.read(root.section("agents"), environment);
  }

  public RunLimits limits() {
    SettingsTable limits = root.section("limits");
    RunLimits usual = RunLimits.DEFAULT;
    RunLimits most = RunLimits.MOST;
    RunLimits set =
        new RunLimits(
            Objects.requireNonNullElse(limits.duration("ask_timeout", most.ask()), usual.ask()),
            Objects.requireNonNullElse(limits.duration("run_timeout", most.run()), usual.run()),
            Math.toIntExact(
                Objects.requireNonNullElse(
                    limits.whole("max_asks", 1, most.asks()), (long) usual.asks())),
            Objects.requireNonNullElse(
                limits.dollars("max_cost", most.costMicros()), usual.costMicros()),
            Math.toIntExact(
                Objects.requireNonNullElse(
                    limits.whole("max_output", 1, most.output()), (long) usual.output())));
    limits.end();
    return set;
  }
}
