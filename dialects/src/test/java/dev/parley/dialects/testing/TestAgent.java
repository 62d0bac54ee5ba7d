package dev.parley.dialects.testing;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.MessageType;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.markdown.JournalMessage;
import dev.parley.dialects.markdown.LocatedMessage;
import dev.parley.dialects.message.JsonLinesFormat;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.dialects.swarm.SwarmMessage;
import dev.parley.dialects.swarm.SwarmMessageBus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An agent that knows nothing but the files of its design. */
public interface TestAgent {
  String agent();

  /** Writes something, so that it is known to live there. */
  void appear() throws Exception;

  void ask(String to, String text) throws Exception;

  /** Answers the question with this text, in the way of its design; false if it is not there. */
  boolean answer(String question, String text) throws Exception;

  /** Whether an answer with this text came, tied to what was asked. */
  boolean hasAnswer(String text) throws Exception;

  /** The party of a design, whose files are made and mounted. */
  static TestAgent of(String design, String role, Path folder, Mounts mounts, Bus bus) {
    Path at = folder.resolve(role + "-" + design);
    return switch (design) {
      case "gear" -> new Gear(bus, role + "-" + design);
      case "markdown" -> {
        Path file = folder.resolve(role + ".md");
        mount(mounts, Dialect.MARKDOWN, file, role);
        yield new Markdown(new JournalFile(file), "claude-" + role + "-1");
      }
      case "swarm" -> {
        mount(mounts, Dialect.SWARM, at, role);
        String agent = role.equals("asker") ? "developer" : "architect";
        yield new Swarm(new SwarmMessageBus(at, remark -> {}), agent);
      }
      case "conclave" -> {
        mount(mounts, Dialect.CONCLAVE, at, role);
        yield new Lines(at.resolve("debate.jsonl"), at, "sender", role + "-" + design);
      }
      default -> {
        mount(mounts, Dialect.CONDUCTOR, at, role);
        yield new Lines(at.resolve("queue.jsonl"), at, "source", role + "-1.1-" + design);
      }
    };
  }

  private static void mount(Mounts mounts, Dialect dialect, Path path, String role) {
    dialect.create(path);
    var _ =
        mounts.add(
            dialect, path, role + "-" + dialect.word(), new Topic(role + "." + dialect.word()));
  }

  /** Appends to a journal by itself. */
  record Markdown(JournalFile file, String agent) implements TestAgent {
    private void append(String id, String type, String more, String body) throws IOException {
      Files.writeString(
          file.path(),
          "\n---\nmessageId: %s\ntype: %s\nagent: %s\ntimestamp: 2026-01-26T10:15:00Z\n%s---\n\n%s\n\n---\n"
              .formatted(id, type, agent, more, body),
          StandardOpenOption.APPEND);
    }

    @Override
    public void appear() throws IOException {
      append("MSG-20260126-101500-" + agent + "-0", "PROGRESS", "", "here");
    }

    @Override
    public void ask(String to, String text) throws IOException {
      append("MSG-20260126-101500-" + agent + "-1", "QUESTION", "to: " + to + "\n", text);
    }

    @Override
    public boolean answer(String question, String text) throws IOException {
      JournalMessage asked = find(question);
      if (asked != null) {
        append(
            "MSG-20260126-101500-" + agent + "-2",
            "ANSWER",
            "relatesTo: " + asked.messageId() + "\n",
            text);
      }
      return asked != null;
    }

    private @Nullable JournalMessage find(String text) {
      for (LocatedMessage placed : file.read().messages()) {
        boolean own = placed.message().agent().equals(agent);
        if (!own && placed.message().body().contains(text)) {
          return placed.message();
        }
      }
      return null;
    }

    @Override
    public boolean hasAnswer(String text) {
      JournalMessage answer = find(text);
      return answer != null && ("MSG-20260126-101500-" + agent + "-1").equals(answer.relatesTo());
    }
  }

  /** Writes its outbox by hand. */
  record Swarm(SwarmMessageBus files, String agent) implements TestAgent {
    @Override
    public void appear() {}

    private void send(String id, String to, String type, String text, String thread) {
      files.addToOutbox(
          agent,
          new SwarmMessage(
              Json.parse(
                  """
                  {"id":"%s","timestamp":"2024-01-01T00:00:00.000Z","from":"%s","to":"%s",
                   "type":"%s","priority":"normal","content":{"subject":"","body":"%s"},
                   "threadId":"%s","requiresResponse":false}\
                  """
                      .formatted(id, agent, to, type, text, thread))));
    }

    @Override
    public void ask(String to, String text) {
      send(agent + "-1", to, "question", text, "thread_" + agent);
    }

    @Override
    public boolean answer(String question, String text) {
      for (SwarmMessage message : files.readInbox(agent)) {
        if (message.body().contains(question)) {
          send(agent + "-2", message.from(), "result", text, String.valueOf(message.threadId()));
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean hasAnswer(String text) {
      return files.readInbox(agent).stream()
          .anyMatch(message ->
              message.body().contains(text) && ("thread_" + agent).equals(message.threadId()));
    }
  }

  /** Appends lines: Conclave's and Conductor's agents. */
  record Lines(Path file, Path folder, String senderName, String agent) implements TestAgent {
    private void append(String id, String type, String text, String more) throws IOException {
      String line =
          "{\"id\":\"%s\",\"seq\":1,\"timestamp\":\"2026-02-01T12:00:00Z\",\"%s\":\"%s\",\"topic\":\"debate\",\"type\":\"%s\",\"payload\":{\"text\":\"%s\"}%s}\n"
              .formatted(id, senderName, agent, type, text, more);
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void appear() throws IOException {
      append(agent + "-0", "PROGRESS", "here", "");
    }

    @Override
    public void ask(String to, String text) throws IOException {
      append(agent + "-1", "QUESTION", text, ",\"to\":\"" + to + "\"");
    }

    @Override
    public boolean answer(String question, String text) throws IOException {
      Fields asked = find(question);
      if (asked != null) {
        append(agent + "-2", "ANSWER", text, ",\"replyTo\":\"" + asked.text("id") + "\"");
      }
      return asked != null;
    }

    private @Nullable Fields find(String text) throws IOException {
      try (var files = Files.walk(folder)) {
        for (Path each : files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
          byte[] bytes = Files.readAllBytes(each);
          for (Json message :
              JsonLinesFormat.read(bytes, 0, (l, u, r) -> {}, (line, end) -> line.json())
                  .messages()) {
            Fields fields = Fields.of(message);
            boolean own = agent.equals(fields.text(senderName));
            if (!own && String.valueOf(fields.json("payload")).contains(text)) {
              return fields;
            }
          }
        }
      }
      return null;
    }

    @Override
    public boolean hasAnswer(String text) throws IOException {
      Fields answer = find(text);
      return answer != null && (agent + "-1").equals(answer.text("replyTo"));
    }
  }

  /** An agent in a program. */
  final class Gear implements TestAgent {
    private final dev.parley.dialects.gear.GearMessageBus bus;
    private final String agent;
    private final List<AgentMessage> got = new CopyOnWriteArrayList<>();

    Gear(Bus bus, String agent) {
      this.bus = new dev.parley.dialects.gear.GearMessageBus(bus, null, Reporter.TO_LOG);
      this.agent = agent;
      this.bus.subscribe(agent, got::add);
    }

    @Override
    public String agent() {
      return agent;
    }

    @Override
    public void appear() {}

    private void send(String to, MessageType type, String text, @Nullable String correlation) {
      bus.send(
          bus.createMessage(
              type, agent, to, Json.object().put("text", text).build(), correlation, false));
    }

    @Override
    public void ask(String to, String text) {
      send(to, MessageType.TASK_ASSIGNED, text, "corr_" + agent);
    }

    @Override
    public boolean answer(String question, String text) {
      for (AgentMessage message : got) {
        if (message.payload().toString().contains(question)) {
          send(message.fromAgent(), MessageType.TASK_COMPLETED, text, message.correlationId());
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean hasAnswer(String text) {
      return got.stream()
          .anyMatch(message ->
              message.payload().toString().contains(text)
                  && ("corr_" + agent).equals(message.correlationId()));
    }
  }
}
