package dev.parley.orchestration.settings;

import dev.parley.core.ParleyException;
import java.nio.file.Path;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A parsed {@code parley.toml}.
 *
 * @param path its path, for errors
 */
record SettingsFile(Path path, TomlTable table) {
  static final String NAME = "parley.toml";

  /**
   * Parses a file.
   *
   * @throws ParleyException INVALID with the line if it is not TOML
   */
  static SettingsFile parse(Path path, String text) {
    TomlParseResult result = Toml.parse(text);
    if (result.hasErrors()) {
      TomlParseError error = result.errors().getFirst();
      throw invalid(
          path, error.position().line(), String.valueOf(error.getMessage()), "Correct that line.");
    }
    return new SettingsFile(path, result);
  }

  static ParleyException invalid(Path path, int line, String what, String next) {
    return ParleyException.invalid("bad-settings", path + ", line " + line + ": " + what, next);
  }
}
