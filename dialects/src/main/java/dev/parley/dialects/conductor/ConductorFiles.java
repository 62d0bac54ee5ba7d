package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.append.AppendedFiles;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.message.JsonLine;
import dev.parley.dialects.message.JsonLineCodec;
import dev.parley.dialects.message.JsonLinesFormat;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A mounted Conductor message bus: its queue, and one event file for each event a tool may wait
 * for.
 */
public final class ConductorFiles implements AppendedFiles<Json> {
  private static final String QUEUE = "queue.jsonl";

  private final Path folder;
  private final Topic topic;
  private final ConductorCodec codec = new ConductorCodec();

  private final Consumer<JsonLine> pulled;

  public ConductorFiles(Path folder, Topic topic) {
    this(folder, topic, message -> {});
  }

  /**
   * @param pulled is called with each message that another program posted
   */
  ConductorFiles(Path folder, Topic topic, Consumer<JsonLine> pulled) {
    this.folder = folder;
    this.topic = topic;
    this.pulled = pulled;
  }

  /** Makes Conductor's folders and files. What exists is left as it is. */
  public static void create(Path folder) {
    try {
      SafeFiles.createFolder(folder);
      SafeFiles.createFolder(folder.resolve("events"));
      SafeFiles.createFolder(folder.resolve("board"));
    } catch (IOException e) {
      throw ForeignFile.trouble("Making", folder, e);
    }
    for (String file : List.of(QUEUE, "board/discussion.jsonl")) {
      ForeignFile.create(folder.resolve(file), new byte[0]);
    }
    for (String file :
        List.of("locks.json", "worker-status.json", "board/assessments.json", "board/votes.json")) {
      ForeignFile.create(folder.resolve(file), "{}".getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public Codec<Json> codec() {
    return codec;
  }

  @Override
  public String id(Json message) {
    return codec.id(message);
  }

  @Override
  public List<String> names() {
    return List.of(QUEUE);
  }

  @Override
  public Path path(String name) {
    return folder.resolve(name);
  }

  @Override
  public String fileOf(Topic any) {
    return QUEUE;
  }

  @Override
  public Topic topicOf(String name) {
    return topic;
  }

  @Override
  public ForeignMessage.Found<ForeignMessage> read(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
    return codec.read(added, linesBefore, remarks);
  }

  @Override
  public Json answering(Json message, String foreign) {
    return JsonLineCodec.with(message, "replyTo", Json.of(foreign));
  }

  /**
   * Appends to the queue before {@link #appended} writes the event, so a tool that sees the event
   * finds the message.
   */
  @Override
  public void append(String name, Json message) {
    Path queue = path(name);
    long size = queue.toFile().length();
    byte[] last = ForeignFile.read(queue, Math.max(0, size - 1));
    boolean ends = size == 0 || (last.length > 0 && last[last.length - 1] == '\n');
    ForeignFile.append(queue, JsonLinesFormat.line(message, ends));
    appended(message);
  }

  /** Writes the event files. Writing them twice does no harm. */
  @Override
  public void appended(Json message) {
    for (String event : events(Fields.of(message))) {
      Path file =
          folder.resolve("events").resolve(event.replaceAll("[^A-Za-z0-9._-]", "_") + ".event");
      ForeignFile.createFolderOf(file); // somebody may have cleaned up
      ForeignFile.replace(
          file, (Fields.of(message).text("id", "") + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * The events that signal a message: one for its subject, and those that Conductor's rules name.
   */
  private static List<String> events(Fields message) {
    String type = message.text("type", "");
    Fields payload = message.object("payload");
    String all = type + "_all";
    return switch (type) {
      case "TASK_COMPLETE", "TASK_FAILED", "DEP_READY" ->
          List.of(type + "_" + payload.text("task_id", "all"));
      case "FILE_UNLOCK" -> List.of(type + "_" + payload.text("filepath", "all"), all);
      case "BOARD_RESOLVE" -> List.of(type + "_" + payload.text("session_id", "all"), all, type);
      default -> List.of();
    };
  }

  @Override
  public @Nullable String ignored(ForeignMessage message) {
    return message instanceof JsonLineCodec.Read read ? WorkerImport.ignored(read.line()) : null;
  }

  @Override
  public void pulled(ForeignMessage message) {
    if (message instanceof JsonLineCodec.Read read) {
      pulled.accept(read.line());
    }
  }
}
