package dev.parley.dialects.testing;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.IndentedJson;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.dialects.swarm.SwarmMessageBus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An agent as it really writes: by hand, with what its design lets it leave out.
 *
 * <p>What a design has no recipients for is written for all to read, in a topic that its mount
 * shares with the others.
 */
public interface HandWritingAgent {
  /** The topic that all mounts of a test share. */
  Topic SHARED = new Topic("work");

  String agent();

  /**
   * Writes a question.
   *
   * @param to whom it is for; null if all may read it
   */
  void ask(@Nullable String to, String text);

  /** Writes an answer to a question it has found in its files; false if it is not there. */
  boolean answer(String question, String text);

  /** Writes something before, so that it is known where it lives. */
  default void appear() {
    ask(null, "here");
  }

  /** Whether a text of somebody else stands in its files. */
  boolean sees(String text);

  /** Whether its design has nothing but mail for somebody. */
  default boolean isMailOnly() {
    return false;
  }

  private static void mounted(Mounts mounts, Dialect dialect, Path path) {
    dialect.create(path);
    var _ =
        mounts.add(dialect, path, String.valueOf(path.getFileName()).replace(".md", ""), SHARED);
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Records without an end. */
  final class Journal implements HandWritingAgent {
    private final Path file;
    private final String agent;
    private int written;

    /** Nobody writes to it for a while after each record: then a last one counts as whole. */
    private void rest() {
      try {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(5)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public Journal(Mounts mounts, Path path) {
      file = path.resolveSibling(path.getFileName() + ".md");
      agent = "claude-" + path.getFileName() + "-1";
      mounted(mounts, Dialect.MARKDOWN, file);
    }

    @Override
    public String agent() {
      return agent;
    }

    private void write(String type, String more, String text) {
      append(
          file,
          "\n---\nmessageId: MSG-20260126-10150%d-%s-x\ntype: %s\nagent: %s\ntimestamp: 2026-01-26T10:15:00Z\nrunId: N/A\ntaskId: T-1\n%s---\n\n%s\n"
              .formatted(written++, agent, type, agent, more, text));
      rest();
    }

    @Override
    public void ask(@Nullable String to, String text) {
      write("QUESTION", to == null ? "" : "to: " + to + "\n", text);
    }

    @Override
    public boolean answer(String question, String text) {
      String all = read(file);
      int at = all.indexOf(question);
      if (at < 0) {
        return false;
      }
      int id = all.lastIndexOf("messageId: ", at) + "messageId: ".length();
      write("ANSWER", "relatesTo: " + all.substring(id, all.indexOf('\n', id)) + "\n", text);
      return true;
    }

    @Override
    public boolean sees(String text) {
      return read(file).contains(text);
    }
  }

  /** Writes its outbox as a whole, with a plain write and half of the fields. */
  final class Swarm implements HandWritingAgent {
    private final SwarmMessageBus files;
    private final Path outbox;
    private final String agent;
    private final List<String> entries = new CopyOnWriteArrayList<>();

    public Swarm(Mounts mounts, Path path) {
      agent = path.getFileName().toString().startsWith("asker") ? "developer" : "architect";
      files = new SwarmMessageBus(path, remark -> {});
      outbox = path.resolve("messages/outbox/" + agent + ".json");
      mounted(mounts, Dialect.SWARM, path);
    }

    @Override
    public String agent() {
      return agent;
    }

    @Override
    public boolean isMailOnly() {
      return true;
    }

    @Override
    public void appear() {} // it has a queue

    private void write(@Nullable String to, String type, String text, @Nullable String thread) {
      entries.add(
          "{\"id\":\"msg-%03d\",\"timestamp\":\"2024-01-15T10:30:00Z\",\"from\":\"%s\",%s\"type\":\"%s\",%s\"content\":{\"subject\":\"s\",\"body\":\"%s\"}}"
              .formatted(
                  entries.size() + 1,
                  agent,
                  to == null ? "" : "\"to\":\"" + to + "\",",
                  type,
                  thread == null ? "" : "\"threadId\":\"" + thread + "\",",
                  text));
      try {
        Files.writeString(outbox, "[\n" + String.join(",\n", entries) + "\n]");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void ask(@Nullable String to, String text) {
      write(to, "question", text, null);
    }

    @Override
    public boolean answer(String question, String text) {
      for (var message : files.readInbox(agent)) {
        if (message.body().contains(question)) {
          write(message.from(), "result", text, message.threadId());
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean sees(String text) {
      return files.readInbox(agent).stream().anyMatch(message -> message.body().contains(text));
    }
  }

  /** Lines in a file of its design. */
  abstract class Lines implements HandWritingAgent {
    final Path folder;
    final String agent;
    int written;

    Lines(Path folder, String agent) {
      this.folder = folder;
      this.agent = agent;
    }

    @Override
    public String agent() {
      return agent;
    }

    abstract void write(@Nullable String to, @Nullable String replyTo, String text);

    abstract List<Path> files();

    @Override
    public void ask(@Nullable String to, String text) {
      write(to, null, text);
    }

    @Override
    public boolean answer(String question, String text) {
      for (Path file : files()) {
        for (String line : read(file).lines().toList()) {
          if (line.contains(question)) {
            Json message = Json.parse(line);
            boolean mine = message.fields().containsKey("to");
            // Only who was asked by name ties the answer; in a topic it is just the next line.
            write(null, mine ? String.valueOf(message.fields().get("id").text()) : null, text);
            return true;
          }
        }
      }
      return false;
    }

    @Override
    public boolean sees(String text) {
      return files().stream().anyMatch(file -> read(file).contains(text));
    }

    static String addressing(@Nullable String to, @Nullable String replyTo) {
      return (to == null ? "" : ",\"to\":\"" + to + "\"")
          + (replyTo == null ? "" : ",\"replyTo\":\"" + replyTo + "\"");
    }
  }

  /** As Go writes it: ids of a process, nanoseconds, a local offset. */
  final class Conclave extends Lines {
    public Conclave(Mounts mounts, Path path) {
      super(path, "task-" + path.getFileName());
      mounted(mounts, Dialect.CONCLAVE, path);
    }

    @Override
    void write(@Nullable String to, @Nullable String replyTo, String text) {
      append(
          folder.resolve("debate.jsonl"),
          "{\"id\":\"%d-%d\",\"seq\":%d,\"timestamp\":\"2026-02-01T12:00:00.%09d+02:00\",\"sender\":\"%s\",\"topic\":\"debate\",\"type\":\"debate.finding\",\"payload\":{\"text\":\"%s \\u003ca\\u003e\"}%s}\n"
              .formatted(
                  agent.length(),
                  ++written,
                  written,
                  123_456_780 + written,
                  agent,
                  text,
                  addressing(to, replyTo)));
    }

    @Override
    List<Path> files() {
      try (var all = Files.list(folder)) {
        return all.filter(file -> file.toString().endsWith(".jsonl")).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** As Python writes it: UTC with microseconds and a Z, blanks behind colons. */
  final class Conductor extends Lines {
    public Conductor(Mounts mounts, Path path) {
      super(path, "worker-1.1-" + path.getFileName());
      mounted(mounts, Dialect.CONDUCTOR, path);
    }

    @Override
    void write(@Nullable String to, @Nullable String replyTo, String text) {
      append(
          folder.resolve("queue.jsonl"),
          "{\"id\": \"msg-%s-%d\", \"type\": \"PROGRESS\", \"source\": \"%s\", \"timestamp\": \"2026-02-01T12:00:00.12345%dZ\", \"payload\": {\"task_id\": \"1.1\", \"current_subtask\": \"%s\"}%s}\n"
              .formatted(agent, ++written, agent, written, text, addressing(to, replyTo)));
    }

    @Override
    List<Path> files() {
      return List.of(folder.resolve("queue.jsonl"));
    }
  }

  /**
   * Writes the whole history from memory, as Python does: local times without a zone, and no
   * correlation where it asks for nothing.
   */
  final class Gear implements HandWritingAgent {
    private final Path file;
    private final String agent;
    private final List<Json> history = new ArrayList<>();

    public Gear(Mounts mounts, Path path) {
      file = path.resolve("message-history.json");
      agent = "gear-" + path.getFileName();
      Dialect.GEAR.create(file);
      var _ = mounts.add(Dialect.GEAR, file, String.valueOf(path.getFileName()), SHARED);
    }

    @Override
    public String agent() {
      return agent;
    }

    @Override
    public boolean isMailOnly() {
      return true;
    }

    @Override
    public void appear() {
      write("moderator", "agent_ready", "here", null);
    }

    /** What others added is in its memory, too, once it has read the file. */
    private List<Json> remembered() {
      for (Json item : Json.parse(read(file)).items()) {
        if (!history.contains(item)) {
          history.add(item);
        }
      }
      return history;
    }

    private void write(String to, String type, String text, @Nullable String correlation) {
      List<Json> all = remembered();
      all.add(
          Json.parse(
              """
              {"message_id": "msg_%08x", "message_type": "%s", "from_agent": "%s", "to_agent": "%s",
               "timestamp": "2024-10-15T10:30:0%d.123456", "payload": {"task_id": "%s"},
               "correlation_id": %s, "requires_response": false}\
              """
                  .formatted(
                      Objects.hash(agent, all.size()),
                      type,
                      agent,
                      to,
                      all.size(),
                      text,
                      correlation == null ? "null" : "\"" + correlation + "\"")));
      try {
        Files.write(file, IndentedJson.bytes(Json.of(all)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void ask(@Nullable String to, String text) {
      write(String.valueOf(to), "task_assigned", text, null);
    }

    @Override
    public boolean answer(String question, String text) {
      for (Json item : List.copyOf(remembered())) {
        Fields message = Fields.of(item);
        if (item.toString().contains(question) && agent.equals(message.text("to_agent"))) {
          write(
              message.text("from_agent", ""),
              "task_completed",
              text,
              message.text("correlation_id"));
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean sees(String text) {
      return read(file).contains(text);
    }
  }
}
