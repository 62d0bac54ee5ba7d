package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Reporter;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.testing.SwarmTool;
import dev.parley.filelog.BusFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever of mounted files counts for nothing is named by every check, as long as it is there. */
class PassedOverTest {
  private static final String SWARM =
      """
      [{"id":"x-1","timestamp":"2024-01-01T00:00:00Z","from":"developer","to":"%s","type":"task",
        "priority":"normal","content":{"subject":"s","body":"b"},"requiresResponse":false}]\
      """;
  private static final String CONCLAVE =
      """
      {"id":"8-1","seq":1,"timestamp":"2026-02-01T12:00:00.5Z","sender":"task-1","topic":"t",\
      "type":"board.discovery","payload":{"text":"a"}}
      """;
  private static final String CONDUCTOR =
      """
      {"id":"msg-1","type":"TASK_COMPLETE","source":"%s","timestamp":"2026-02-01T12:00:00Z",\
      "payload":{"task_id":"%s"}}
      """;
  private static final String GEAR =
      """
      {"message_id":"%s","message_type":"agent_ready","from_agent":"techlead","to_agent":"%s",
       "payload":{"n":%d}}\
      """;

  /** By the name that the cases below use. */
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("mail", SWARM.formatted("orchestrator")),
          Map.entry("mail to an odd name", SWARM.formatted("qa team")),
          Map.entry("long id", SWARM.formatted("reviewer").replace("x-1", "x".repeat(2000))),
          Map.entry(
              "odd priority",
              "[{\"type\":\"task\",\"priority\":\"medium\",\"content\":{\"body\":\"b\"}}]"),
          Map.entry("half an entry", "[{\"id\":\"x\"}]"),
          Map.entry("nothing known", "hello\n"),
          Map.entry("a line", CONCLAVE),
          Map.entry("no message", "{\"a\":1}\n"),
          Map.entry("half a line", "{\"type\":"),
          Map.entry("odd worker", CONDUCTOR.formatted("worker 1", "1.1")),
          Map.entry("odd task", CONDUCTOR.formatted("worker-1", "Task 1.1")),
          Map.entry("two of one id", CONDUCTOR.formatted("w", "1") + CONDUCTOR.formatted("w", "2")),
          Map.entry("odd names", "{\"a b\":{\"status\":\"RUNNING\"}}"),
          Map.entry("odd status", "{\"worker-1\":{\"status\":\"PARTY\"}}"),
          Map.entry("odd path", "{\"../x\":\"worker-1\"}"),
          Map.entry(
              "history of one id twice",
              "[" + GEAR.formatted("m", "a", 1) + "," + GEAR.formatted("m", "a", 2) + "]"),
          Map.entry("history of a long id", "[" + GEAR.formatted("m".repeat(2000), "a", 1) + "]"),
          Map.entry("history to an odd name", "[" + GEAR.formatted("m", "a b", 1) + "]"));

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}: {1} with {2}")
  @CsvSource({
    "SWARM,     messages/inbox/qa team.json,        mail,                is not read",
    "SWARM,     messages/outbox/developer.json,     mail to an odd name, not a valid agent name",
    "SWARM,     messages/outbox/developer.json,     long id,             (maxForeignId)",
    "SWARM,     messages/inbox/developer.json,      long id,             (maxForeignId)",
    "SWARM,     messages/outbox/developer.json,     odd priority,        is known: \"medium\"",
    "SWARM,     messages/inbox/developer.json,      half an entry,       has no timestamp",
    "SWARM,     messages/inbox/developer.json,      nothing known,       is not a JSON array",
    "SWARM,     memory.db,                          nothing known,       not a database",
    "CONCLAVE,  .hidden.jsonl,                      a line,              is hidden",
    "CONCLAVE,  1/2/3/4/5/6/7/8/deep.jsonl,         a line,              folders deep",
    "CONCLAVE,  debate.jsonl,                       FOLDER,              is a folder",
    "SWARM,     messages/inbox/tester.json,         FOLDER,              Is a directory",
    "CONCLAVE,  debate.jsonl,                       no message,          is not a message",
    "CONCLAVE,  debate.jsonl,                       nothing known,       is not a JSON object",
    "CONCLAVE,  debate.jsonl,                       half a line,         is incomplete",
    "CONDUCTOR, queue.jsonl,                        odd worker,          not a valid name of a worker",
    "CONDUCTOR, queue.jsonl,                        odd task,            not a valid name of a task",
    "CONDUCTOR, queue.jsonl,                        two of one id,       twice with different"
        + " texts",
    "CONDUCTOR, queue.jsonl,                        half a line,         is incomplete",
    "CONDUCTOR, worker-status.json,                 odd names,           not a valid worker name",
    "CONDUCTOR, worker-status.json,                 odd status,          is unknown",
    "CONDUCTOR, worker-status.json,                 nothing known,       is not a JSON object",
    "CONDUCTOR, locks.json,                         odd path,            not a path inside",
    "CONDUCTOR, locks.json,                         nothing known,       is not a JSON object",
    "CONDUCTOR, board/discussion.jsonl,             nothing known,       is not a JSON object",
    "CONDUCTOR, board/session-1.json,               nothing known,       is not a JSON object",
    "CONDUCTOR, events/TASK_COMPLETE_a b.event,     nothing known,       not a valid name of a task",
    "MARKDOWN,  '',                                 nothing known,       no message was recognised",
    "GEAR,      '',                                 nothing known,       is not a JSON array",
    "GEAR,      '',                                 half an entry,       has no message_id",
    "GEAR,      '',                                 history of one id twice, twice with different",
    "GEAR,      '',                                 history of a long id,    (maxForeignId)",
    "GEAR,      '',                                 history to an odd name,  not a valid agent name"
  })
  void aCheckNamesIt(Dialect dialect, String file, String text, String reason) throws Exception {
    Path files = folder.resolve("files");
    dialect.create(files);
    BusFolder bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    try (Mounts mounts = new Mounts(bus, Reporter.TO_LOG, remark -> {})) {
      var _ = mounts.add(dialect, files, null, null);
      mounts.sync();
      assertThat(mounts.check().getFirst().isInStep()).isTrue();

      Path odd = file.isEmpty() ? files : files.resolve(file);
      Files.createDirectories(odd.getParent());
      if (text.equals("FOLDER")) {
        Files.createDirectory(odd);
      } else {
        Files.writeString(odd, String.valueOf(TEXTS.get(text)));
      }
      Files.setLastModifiedTime(odd, FileTime.from(Instant.now().minusSeconds(2)));
      for (int i = 0; i < 2; i++) {
        mounts.sync();

        assertThat(mounts.check().getFirst().isInStep()).isFalse();
        assertThat(passedOver(mounts)).anyMatch(told -> told.contains(reason));
      }
      assertThat(Files.isDirectory(odd) ? null : Files.readString(odd)).isEqualTo(TEXTS.get(text));
    }
  }

  private static List<String> passedOver(Mounts mounts) {
    return mounts.check().getFirst().passedOver().stream().map(FileRemark::reason).toList();
  }

  @Test
  void formerContentOfAQueueThatCouldNotBeReadIsNamedUntilItIsDeleted() throws Exception {
    Path files = folder.resolve(".swarm");
    Dialect.SWARM.create(files);
    Path inbox = files.resolve("messages/inbox/developer.json");
    BusFolder bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    try (Mounts mounts = new Mounts(bus, Reporter.TO_LOG, remark -> {})) {
      var _ = mounts.add(Dialect.SWARM, files, null, null);
      mounts.sync();
      Files.writeString(inbox, "[{]");
      Files.setLastModifiedTime(inbox, FileTime.from(Instant.now().minusSeconds(2)));
      new SwarmMessageBus(files, remark -> {})
          .addToInbox("developer", SwarmTool.message("x-1", "reviewer", "developer"));
      mounts.sync();

      assertThat(passedOver(mounts)).singleElement().asString().contains("could not be read");
      Files.delete(inbox.resolveSibling("developer.json.damaged"));
      assertThat(passedOver(mounts)).isEmpty();
    }
  }

  /** A JVM can't open a file again by such a name. */
  @Test
  void aNameThatIsNotUtf8IsNamed() throws Exception {
    Path files = folder.resolve("run");
    Dialect.CONCLAVE.create(files);
    Process shell =
        new ProcessBuilder("sh", "-c", "cat > \"$1/$(printf 'n\\377me').jsonl\"", "sh", "" + files)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var text = shell.getOutputStream()) {
      text.write(CONCLAVE.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(shell.waitFor()).isZero();
    BusFolder bus = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    try (Mounts mounts = new Mounts(bus, Reporter.TO_LOG, remark -> {})) {
      var _ = mounts.add(Dialect.CONCLAVE, files, null, null);
      mounts.sync();

      assertThat(passedOver(mounts)).singleElement().asString().contains("not UTF-8");
    }
  }
}
