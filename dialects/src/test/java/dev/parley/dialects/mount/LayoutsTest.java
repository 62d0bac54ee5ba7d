package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.testing.AtOnce;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Seed 0.6, 1.1, 2.1, 3.1: what is made is what the design's own functions make, and no more. */
class LayoutsTest {
  private static final String FOLDER = "folder";

  @TempDir Path folder;

  /** Every file and folder below, with what stands in it. */
  private Map<String, String> made(Dialect dialect) throws IOException {
    Path at = folder.resolve(dialect.usualName());
    assertThat(dialect.create(at)).isTrue();
    Map<String, String> before = tree();
    assertThat(dialect.create(at)).isFalse();
    assertThat(tree()).isEqualTo(before);
    return before;
  }

  private Map<String, String> tree() throws IOException {
    Map<String, String> tree = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      paths
          .filter(path -> !path.equals(folder))
          .forEach(path -> tree.put(folder.relativize(path).toString(), content(path)));
    }
    return tree;
  }

  private static String content(Path path) {
    try {
      return Files.isDirectory(path) ? FOLDER : Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void conductor() throws IOException {
    assertThat(made(Dialect.CONDUCTOR))
        .isEqualTo(
            Map.of(
                ".message-bus", FOLDER,
                ".message-bus/queue.jsonl", "",
                ".message-bus/locks.json", "{}",
                ".message-bus/worker-status.json", "{}",
                ".message-bus/events", FOLDER,
                ".message-bus/board", FOLDER,
                ".message-bus/board/assessments.json", "{}",
                ".message-bus/board/votes.json", "{}",
                ".message-bus/board/discussion.jsonl", ""));
  }

  @Test
  void swarm() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    expected.put(".swarm", FOLDER);
    expected.put(".swarm/messages", FOLDER);
    for (String queue : new String[] {"inbox", "outbox"}) {
      expected.put(".swarm/messages/" + queue, FOLDER);
      for (String agent :
          new String[] {"researcher", "developer", "reviewer", "architect", "orchestrator"}) {
        expected.put(".swarm/messages/" + queue + "/" + agent + ".json", "[]");
      }
    }

    assertThat(made(Dialect.SWARM)).isEqualTo(expected);
  }

  /** Two that both find nothing there must not write one after the other. */
  @ParameterizedTest
  @EnumSource
  void severalProcessesThatMakeTheSameMakeItOnce(Dialect dialect) throws Exception {
    Map<String, String> alone = made(dialect);
    for (int i = 0; i < 20; i++) {
      Path at = folder.resolve(String.valueOf(i)).resolve(dialect.usualName());
      ForeignFile.createFolderOf(at);
      AtOnce.run(4, () -> dialect.create(at));
      Map<String, String> together = tree();
      String number = i + "/";
      alone.forEach((path, content) -> assertThat(together).containsEntry(number + path, content));
    }
  }

  /** Its files come with the topics, and its .pid with whoever owns it. */
  @Test
  void conclave() throws IOException {
    assertThat(made(Dialect.CONCLAVE))
        .isEqualTo(Map.of(".conclave", FOLDER, ".conclave/bus", FOLDER));
  }

  @Test
  void markdown() throws IOException {
    Map<String, String> made = made(Dialect.MARKDOWN);

    assertThat(made).containsOnlyKeys("MESSAGE-BUS.md");
    assertThat(made.get("MESSAGE-BUS.md").lines())
        .containsSubsequence(
            "# Message Bus",
            "**Version:** v3 (file-based protocol)",
            "## Message Format Reference",
            "messageId: MSG-YYYYMMDD-HHMMSS-<agent>-<rand>",
            "type: <FACT|DECISION|QUESTION|ANSWER|PROGRESS|ERROR|COMPLETE|TASK|REVIEW>",
            "agent: <agent-type>-<role>-<instance>",
            "timestamp: YYYY-MM-DDTHH:MM:SSZ",
            "runId: <run_XXX>",
            "taskId: <TASK-...>",
            "relatesTo: <parent-messageId>",
            "files: <optional list>",
            "artifacts: <optional list>",
            "### REVIEW Template",
            "### ERROR Template",
            "## Messages");
    assertThat(new JournalFile(folder.resolve("MESSAGE-BUS.md")).read().messages()).isEmpty();
  }
}
