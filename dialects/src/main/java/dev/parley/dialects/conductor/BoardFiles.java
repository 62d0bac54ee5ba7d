package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.Flock;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.JsonLinesFormat;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Reads and changes the files in {@code board/}. */
final class BoardFiles {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Path folder;
  private final Path mutex;
  private final Path discussion;
  private final JsonObjectFile assessments;
  private final JsonObjectFile votes;
  private final Consumer<FileRemark> remarks;

  BoardFiles(Path bus, Consumer<FileRemark> remarks) {
    this.folder = bus.resolve("board");
    this.mutex = bus.resolve(".lock_mutex");
    this.discussion = folder.resolve("discussion.jsonl");
    this.assessments = new JsonObjectFile(folder.resolve("assessments.json"), remarks);
    this.votes = new JsonObjectFile(folder.resolve("votes.json"), remarks);
    this.remarks = remarks;
  }

  boolean exist() {
    return Files.isDirectory(folder);
  }

  JsonObjectFile assessments() {
    return assessments;
  }

  JsonObjectFile votes() {
    return votes;
  }

  Path session(String id) {
    return folder.resolve("session-" + id + ".json");
  }

  Path resolution() {
    return folder.resolve("resolution.md");
  }

  /** The session files. */
  List<JsonObjectFile> sessions() {
    List<JsonObjectFile> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "session-*.json")) {
      files.forEach(file -> found.add(new JsonObjectFile(file, remarks)));
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", folder, e);
    }
    return found;
  }

  /** Reports what can't be read. */
  void examine() {
    if (exist()) {
      var _ = assessments.read();
      var _ = votes.read();
      sessions().forEach(JsonObjectFile::read);
      var _ =
          JsonLinesFormat.read(
              ForeignFile.read(discussion),
              0,
              (line, understood, reason) ->
                  remarks.accept(new FileRemark(discussion, line, understood, reason)),
              (line, end) -> line);
    }
  }

  /** Reports that something in these files makes no sense. */
  void remark(String reason) {
    remarks.accept(new FileRemark(folder, 0, false, reason));
  }

  /**
   * Changes a file under the mutex.
   *
   * @return false if another process held the mutex too long, or the file can't be read; then
   *     nothing is changed
   */
  boolean change(JsonObjectFile file, UnaryOperator<Map<String, Json>> change) {
    try (Flock held = Flock.take(mutex, PATIENCE)) {
      return held != null && file.change(change);
    }
  }

  record Line(String text, Fields fields) {
    private Line(Json json) {
      this(json.toString(), Fields.of(json));
    }

    /** The key under which a pass notes that it has taken in this line. */
    String heard() {
      return "heard:" + Fingerprint.hex(text, 16);
    }

    boolean isCalled(String id) {
      return id.equals(fields.text("id"));
    }
  }

  List<Line> discussion() {
    return JsonLinesFormat.read(
            ForeignFile.read(discussion),
            0,
            (line, understood, reason) -> {},
            (line, end) -> new Line(line.json()))
        .messages();
  }

  void append(Json line) {
    byte[] before = ForeignFile.read(discussion);
    boolean ends = before.length == 0 || before[before.length - 1] == '\n';
    ForeignFile.append(discussion, JsonLinesFormat.line(line, ends));
  }
}
