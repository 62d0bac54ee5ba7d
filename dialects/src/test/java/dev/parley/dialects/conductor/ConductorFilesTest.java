package dev.parley.dialects.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.1 to 1.3, as far as the queue and its events go. */
class ConductorFilesTest {
  @TempDir Path folder;

  @Test
  void theFolderIsMadeWholeAndWhatIsThereStays() throws Exception {
    Path bus = folder.resolve(".message-bus");
    ConductorFiles.create(bus);
    for (String file :
        List.of("locks.json", "worker-status.json", "board/assessments.json", "board/votes.json")) {
      assertThat(bus.resolve(file)).hasContent("{}");
    }
    assertThat(bus.resolve("queue.jsonl")).isEmptyFile();
    assertThat(bus.resolve("board/discussion.jsonl")).isEmptyFile();
    assertThat(bus.resolve("events")).isDirectory();
    Files.writeString(bus.resolve("locks.json"), "{\"a\":1}");

    ConductorFiles.create(bus);

    assertThat(bus.resolve("locks.json")).hasContent("{\"a\":1}");
  }

  @Test
  void whatOthersMayWaitForIsSignalledByAFileThatNamesTheMessage() throws Exception {
    ConductorFiles.create(folder);
    ConductorFiles files = new ConductorFiles(folder, new Topic("conductor"));
    Files.writeString(folder.resolve("queue.jsonl"), "{\"torn\":");

    files.append(
        "queue.jsonl",
        Json.parse(
            "{\"id\":\"msg-1\",\"type\":\"TASK_COMPLETE\",\"payload\":{\"task_id\":\"../1.1\"}}"));
    files.append("queue.jsonl", Json.parse("{\"id\":\"msg-2\",\"type\":\"PROGRESS\"}"));
    files.append("queue.jsonl", Json.parse("{\"id\":\"msg-3\",\"type\":\"FILE_UNLOCK\"}"));

    assertThat(folder.resolve("events/TASK_COMPLETE_.._1.1.event")).hasContent("msg-1\n");
    assertThat(folder.resolve("events/FILE_UNLOCK_all.event")).exists();
    try (var events = Files.list(folder.resolve("events"))) {
      assertThat(events).hasSize(2);
    }
    assertThat(Files.readAllLines(folder.resolve("queue.jsonl"))).hasSize(4);
  }
}
