package dev.parley.orchestration.meeting;

import dev.parley.orchestration.settings.Settings;
import dev.parley.orchestration.settings.SettingsTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code [board]} of parley.toml.
 *
 * @param directors the agent that speaks for each director
 * @param personas a folder with pages that replace the shipped ones; null for none
 * @param highStakes the words by which {@link Stakes} judges
 */
public record BoardSettings(
    Map<String, String> directors, @Nullable Path personas, List<String> highStakes) {
  /** Reads the settings. */
  public static BoardSettings of(Settings settings, Path folder) {
    SettingsTable board = settings.section("board");
    String personas = board.text("personas");
    BoardSettings read =
        new BoardSettings(
            board.map("directors"),
            personas == null ? null : folder.resolve(personas),
            Objects.requireNonNullElse(board.texts("high_stakes"), Stakes.WORDS));
    board.end();
    return read;
  }
}
