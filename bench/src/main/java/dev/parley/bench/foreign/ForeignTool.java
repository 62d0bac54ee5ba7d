package dev.parley.bench.foreign;

import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.swarm.SendMessageInput;
import dev.parley.dialects.swarm.SwarmMessageBus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A tool that knows nothing but the files of its design. */
interface ForeignTool {
  /** Where what it writes is read on the bus. */
  Topic readOn();

  /** Where something is published for it. */
  Topic publishedOn();

  /** Writes a message, as its design does. */
  void write(String mark) throws IOException;

  /** Whether a message stands in its files. */
  boolean sees(String mark) throws IOException;

  /** What is published for it. */
  default Message published(String mark) {
    Json payload = Json.object().put("subject", "").put("body", mark).build();
    return Message.builder("alice", "finding").payload(payload).build();
  }

  static ForeignTool of(Dialect dialect, Path at) {
    return switch (dialect) {
      case MARKDOWN -> new Appending(at, new Topic("journal"), ForeignTool::entry);
      case CONDUCTOR ->
          new Appending(at.resolve("queue.jsonl"), new Topic("conductor"), ForeignTool::report);
      case CONCLAVE ->
          new Appending(
              at.resolve("board.jsonl"), new Topic("conclave.board"), ForeignTool::discovery);
      case SWARM -> new Swarm(new SwarmMessageBus(at, remark -> {}));
      case GEAR ->
          throw new IllegalArgumentException("a history is replaced whole; it is not measured");
    };
  }

  private static String entry(String mark) {
    return "\n---\nmessageId: MSG-20260126-101500-claude-dev-1-"
        + mark
        + "\ntype: FACT\nagent: claude-dev-1\ntimestamp: 2026-01-26T10:15:00Z\nrunId: run_1\n"
        + "taskId: T-1\n---\n\n"
        + mark
        + "\n\n---\n";
  }

  /** A line of a Conductor queue. */
  static String report(String mark) {
    return "{\"id\":\"msg-"
        + mark
        + "\",\"type\":\"PROGRESS\",\"source\":\"worker-1.1-x\",\"timestamp\":"
        + "\"2026-02-01T12:00:00Z\",\"payload\":{\"task_id\":\"1.1\",\"progress_pct\":50,\"current_subtask\":\"Writing"
        + " the tests of the parser, those with nested lists first\"}}\n";
  }

  private static String discovery(String mark) {
    return "{\"id\":\"7-"
        + mark
        + "\",\"seq\":1,\"timestamp\":\"2026-02-01T12:00:00Z\",\"sender\":\"task-1\","
        + "\"topic\":\"board\",\"type\":\"board.discovery\",\"payload\":{\"text\":\""
        + mark
        + "\"}}\n";
  }

  /** Designs whose messages are appended to a file. */
  final class Appending implements ForeignTool {
    interface Form {
      String text(String mark);
    }

    private final Path file;
    private final Topic topic;
    private final Form form;
    private long seen;

    Appending(Path file, Topic topic, Form form) {
      this.file = file;
      this.topic = topic;
      this.form = form;
    }

    @Override
    public Topic readOn() {
      return topic;
    }

    @Override
    public Topic publishedOn() {
      return topic;
    }

    @Override
    public void write(String mark) throws IOException {
      byte[] text = form.text(mark).getBytes(StandardCharsets.UTF_8);
      Files.write(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public boolean sees(String mark) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        long size = channel.size();
        ByteBuffer added = ByteBuffer.allocate((int) (size - seen));
        channel.read(added, seen);
        boolean there = new String(added.array(), StandardCharsets.UTF_8).contains(mark);
        seen = there ? size : seen;
        return there;
      }
    }
  }

  /** One agent of a swarm, which writes its outbox and reads its inbox. */
  record Swarm(SwarmMessageBus bus) implements ForeignTool {
    @Override
    public Topic readOn() {
      return new Topic("mail.alice");
    }

    @Override
    public Topic publishedOn() {
      return new Topic("mail.developer");
    }

    @Override
    public Message published(String mark) {
      Message plain = ForeignTool.super.published(mark);
      return Message.builder(plain.sender(), plain.type())
          .payload(plain.payload())
          .to(List.of("developer"))
          .build();
    }

    @Override
    public void write(String mark) {
      SendMessageInput input =
          SendMessageInput.of("developer", "alice", "finding", mark, "Found " + mark);
      bus.addToOutbox("developer", SwarmMessageBus.createMessage(input));
    }

    @Override
    public boolean sees(String mark) throws IOException {
      return Files.readString(bus.getInboxPath("developer")).contains(mark);
    }
  }
}
