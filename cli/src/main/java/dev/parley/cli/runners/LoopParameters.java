package dev.parley.cli.runners;

import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.loop.BoardMirror;
import dev.parley.orchestration.loop.LoopSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a loop, kept with its run so that another process can resume it.
 *
 * @param folder the working tree
 * @param bulletin empty for the run's own
 * @param board the folder of a Conclave board; null if there is none
 * @param boardTopic the topic for posts there; null for none
 */
record LoopParameters(
    LoopSettings settings,
    Path folder,
    String bulletin,
    @Nullable Path board,
    @Nullable String boardTopic) {
  Json save() {
    return Json.object()
        .put("settings", settings.save())
        .put("folder", folder.toString())
        .put("bulletin", bulletin)
        .put("board", board == null ? null : board.toString())
        .put("boardTopic", boardTopic)
        .build();
  }

  static LoopParameters load(Json saved) {
    Fields fields = Fields.of(saved);
    String board = fields.text("board");
    return new LoopParameters(
        LoopSettings.load(fields.object("settings")),
        Path.of(fields.text("folder", "")),
        fields.text("bulletin", ""),
        board == null ? null : Path.of(board),
        fields.text("boardTopic"));
  }

  /** The bulletin of a run with these parameters. */
  String bulletin(Run run) {
    return bulletin.isEmpty() ? run.id() : bulletin;
  }

  /** The mirror of the given board; null if none is given. */
  @Nullable BoardMirror mirror(Run run) {
    return board == null
        ? null
        : new BoardMirror(
            run.context().log(), Bulletin.topic(bulletin(run)), board, boardTopic, run::tell);
  }
}
