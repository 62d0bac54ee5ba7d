package dev.parley.dialects.testing;

import dev.parley.coordination.Team;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.message.JsonLinesFormat;
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mounts;
import dev.parley.dialects.sync.MirrorState;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A bus with a mounted {@code .message-bus}, and what foreign workers do to its files. */
public final class ConductorBus implements AutoCloseable {
  public final BusFolder place;
  public final Path files;
  public final FileLog log;
  public Mounts mounts;
  public Team team;
  public final List<FileRemark> remarks = new ArrayList<>();
  private int posted;

  public ConductorBus(Path folder) {
    place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    files = folder.resolve(".message-bus");
    var _ = Dialect.CONDUCTOR.create(files);
    log = place.openLog();
    mounts = new Mounts(place, Reporter.TO_LOG, remarks::add);
    var _ = mounts.add(Dialect.CONDUCTOR, files, null, null);
    team = new Team(log, place.views(), Reporter.TO_LOG).withTables(mounts.locks());
  }

  /**
   * Throws away the last note that says something, and all later ones, as if the bridge had been
   * killed before it made it.
   */
  public void forgetLastNoteOf(String what) throws IOException {
    mounts.close();
    Path notes = log.file(MirrorState.topicOf("conductor"));
    List<String> lines = Files.readAllLines(notes);
    int last = lines.size() - 1;
    while (!lines.get(last).contains(what)) {
      last--;
    }
    Files.writeString(notes, String.join("\n", lines.subList(0, last)) + "\n");
    mounts = new Mounts(place, Reporter.TO_LOG, remarks::add);
    team = new Team(log, place.views(), Reporter.TO_LOG).withTables(mounts.locks());
  }

  public Ledger ledger() {
    return new FoldReader<>(log, Views.inMemory(), report -> {}, Ledger.KIND).refresh();
  }

  public void sync() throws InterruptedException {
    mounts.sync();
  }

  /** Writes a file as a worker does that takes no lock. */
  public void write(String file, String content) {
    try {
      Files.writeString(files.resolve(file), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Map<String, Json> read(String file) throws IOException {
    return Json.parse(Files.readString(files.resolve(file))).fields();
  }

  public Fields read(String file, String name) throws IOException {
    return Fields.of(read(file).get(name));
  }

  /** Posts a message as the design says: a line in the queue. */
  public void post(String type, String source, String payload) throws IOException {
    Files.writeString(
        files.resolve("queue.jsonl"),
        "{\"id\":\"msg-%s\",\"type\":\"%s\",\"source\":\"%s\",\"timestamp\":\"%s\",\"payload\":%s}\n"
            .formatted(++posted, type, source, Timestamps.format(Instant.now()), payload),
        StandardOpenOption.APPEND);
  }

  /** All that is in a topic. */
  public List<Envelope> stored(Topic topic) {
    List<Envelope> stored = new ArrayList<>();
    Bookmark from = Bookmark.START;
    Batch batch = log.read(topic, from, 1000);
    while (!batch.next().equals(from)) {
      stored.addAll(batch.envelopes());
      from = batch.next();
      batch = log.read(topic, from, 1000);
    }
    return stored;
  }

  /** The messages of a type in the queue. */
  public List<Fields> queue(String type) throws IOException {
    return queue().stream().filter(fields -> type.equals(fields.text("type"))).toList();
  }

  /** The messages in the queue. */
  public List<Fields> queue() throws IOException {
    return JsonLinesFormat.read(
            Files.readAllBytes(files.resolve("queue.jsonl")),
            0,
            (line, understood, reason) -> {},
            (line, end) -> Fields.of(line.json()))
        .messages();
  }

  @Override
  public void close() {
    mounts.close();
    log.close();
  }
}
