package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.AppendedFiles;
import dev.parley.dialects.Codec;
import dev.parley.dialects.ForeignFile;
import dev.parley.dialects.Incoming;
import dev.parley.dialects.JsonLineCodec;
import dev.parley.dialects.JsonLines;
import dev.parley.dialects.Remark;
import dev.parley.filelog.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A mounted message bus: its queue, and an event file for what others may wait for. */
public final class ConductorFiles implements AppendedFiles<Json> {
  private static final String QUEUE = "queue.jsonl";

  /** The types whose arrival is signalled by a file. */
  private static final List<String> EVENTS =
      List.of("TASK_COMPLETE", "TASK_FAILED", "FILE_UNLOCK", "BOARD_RESOLVE", "DEP_READY");

  private final Path folder;
  private final Topic topic;
  private final ConductorCodec codec = new ConductorCodec();

  public ConductorFiles(Path folder, Topic topic) {
    this.folder = folder;
    this.topic = topic;
  }

  /** Makes the design's folders and files; what is there stays as it is. */
  public static void create(Path folder) {
    try {
      SafeFiles.createFolder(folder);
      SafeFiles.createFolder(folder.resolve("events"));
      SafeFiles.createFolder(folder.resolve("board"));
    } catch (IOException e) {
      throw ForeignFile.trouble("Making", folder, e);
    }
    for (String file : List.of(QUEUE, "board/discussion.jsonl")) {
      begin(folder.resolve(file), "");
    }
    for (String file :
        List.of("locks.json", "worker-status.json", "board/assessments.json", "board/votes.json")) {
      begin(folder.resolve(file), "{}");
    }
  }

  private static void begin(Path file, String content) {
    if (!Files.exists(file)) {
      ForeignFile.append(file, content.getBytes(StandardCharsets.UTF_8));
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
  public Incoming.Found<Incoming> read(
      String name, byte[] added, int linesBefore, Remark.Sink remarks) {
    return codec.read(added, linesBefore, remarks);
  }

  @Override
  public Json answering(Json message, String foreign) {
    return JsonLineCodec.with(message, "replyTo", Json.of(foreign));
  }

  /** The queue first: who sees the event finds the message. */
  @Override
  public void append(String name, Json message) {
    Path queue = path(name);
    long size = queue.toFile().length();
    byte[] last = ForeignFile.read(queue, Math.max(0, size - 1));
    boolean ends = size == 0 || (last.length > 0 && last[last.length - 1] == '\n');
    ForeignFile.append(queue, JsonLines.line(message, ends));
    Fields fields = Fields.of(message);
    String type = fields.text("type", "");
    if (EVENTS.contains(type)) {
      String task = fields.object("payload").text("task_id", "all");
      String safe = task.replaceAll("[^A-Za-z0-9._-]", "_");
      ForeignFile.replace(
          folder.resolve("events").resolve(type + "_" + safe + ".event"),
          (fields.text("id", "") + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
