package dev.parley.orchestration.loop;

import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a loop in its folder, in Ralph's format. They are removed at the end.
 *
 * <pre>
 * .ralph_state.json    how far it is
 * .ralph_context.md    what the agent is told beside the task
 * </pre>
 */
final class LoopFiles {
  private static final String STATE = ".ralph_state.json";
  static final String CONTEXT = ".ralph_context.md";
  private static final int MOST_LINES = 100;
  private static final int SHORT_HASH = 8;

  private final Path folder;
  private final LoopSettings settings;
  private final String id = "ralph-" + Instant.now().getEpochSecond();

  LoopFiles(Path folder, LoopSettings settings) {
    this.folder = folder;
    this.settings = settings;
  }

  /** The state file's entry for an iteration. */
  static Json attempt(int iteration, String gate, String hash, boolean shift) {
    return Json.object()
        .put("iteration", iteration)
        .put("gate", gate)
        .put("hash", hash.substring(0, SHORT_HASH))
        .put("shift", shift)
        .build();
  }

  void state(LoopProgress progress) throws IOException {
    Json state =
        Json.object()
            .put("task_id", id)
            .put("iteration", progress.iterations() + 1)
            .put("max_iterations", settings.iterations())
            .put("last_gate", progress.gate())
            .put("exit_code", progress.exit())
            .put("error_hash", progress.hash())
            .put("timestamp", Timestamps.format(Instant.now()))
            .put("stuck_count", progress.same())
            .put("strategy_shifts", progress.shifts())
            .put("attempts", Json.of(progress.attempts()))
            .build();
    replace(STATE, state + "\n");
  }

  /**
   * Writes the context.
   *
   * @param failure the output of the failed gate; null at first
   * @return the written text
   */
  String context(LoopProgress progress, @Nullable String failure, List<String> notices)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# Context of " + settings.name());
    lines.add("");
    lines.add("## Status");
    lines.add("");
    lines.add("- iteration " + (progress.iterations() + 1) + " of " + settings.iterations());
    if (progress.resumes() > 0) {
      // Changes the prompt, so that an answer from before the crash is not taken for this
      // iteration's.
      lines.add("- gone on with: " + progress.resumes() + " times");
    }
    if (!progress.gate().isEmpty()) {
      lines.add("- last gate: " + progress.gate());
      lines.add("- the same failure: " + progress.same() + " times");
    }
    if (!notices.isEmpty()) {
      lines.add("");
      lines.addAll(notices);
    }
    if (failure != null) {
      List<String> all = failure.lines().toList();
      String fence = fence(failure);
      lines.add("");
      lines.add("## Previous Output");
      lines.add("");
      lines.add(fence);
      lines.addAll(all.subList(0, Math.min(MOST_LINES, all.size())));
      lines.add(fence);
      if (all.size() > MOST_LINES) {
        lines.add("(the first " + MOST_LINES + " of " + all.size() + " lines)");
      }
    }
    String text = String.join("\n", lines) + "\n";
    replace(CONTEXT, text);
    return text;
  }

  /** A code fence longer than any in the text, so that no line of the text closes it. */
  private static String fence(String text) {
    String fence = "```";
    while (text.contains(fence)) {
      fence += "`";
    }
    return fence;
  }

  private void replace(String name, String text) throws IOException {
    Path aside = folder.resolve(name + ".new");
    Files.writeString(aside, text);
    Files.move(
        aside,
        folder.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  void remove() throws IOException {
    Files.deleteIfExists(folder.resolve(STATE));
    Files.deleteIfExists(folder.resolve(CONTEXT));
  }
}
