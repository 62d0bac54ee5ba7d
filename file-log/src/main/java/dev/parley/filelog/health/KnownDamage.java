package dev.parley.filelog.health;

import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Damage that the user has acknowledged. It can't be undone, and should not hide new damage.
 *
 * <pre>
 * {"known":[{"topic":"notes","code":"damaged-line","offset":412,"length":37}]}
 * </pre>
 */
public final class KnownDamage {
  public static final String FILE = "known-damage.json";

  /** The largest file in bytes. */
  private static final int MOST = 64 << 20;

  private record Entry(String topic, String code, long offset, long length) {
    Json toJson() {
      return Json.object()
          .put("topic", topic)
          .put("code", code)
          .put("offset", offset)
          .put("length", length)
          .build();
    }

    static Entry of(Map<String, Json> fields) {
      return new Entry(
          Objects.requireNonNullElse(fields.getOrDefault("topic", Json.NULL).text(), ""),
          Objects.requireNonNullElse(fields.getOrDefault("code", Json.NULL).text(), ""),
          fields.getOrDefault("offset", Json.NULL).number(-1),
          fields.getOrDefault("length", Json.NULL).number(-1));
    }
  }

  private final Path file;
  private final Set<Entry> entries = new LinkedHashSet<>();
  private boolean changed;

  private KnownDamage(Path file) {
    this.file = file;
  }

  /** No known damage; for a bus that is not ours, because its file is not trusted. */
  static KnownDamage none(Path folder) {
    return new KnownDamage(folder.resolve(FILE));
  }

  public static KnownDamage load(Path folder, Consumer<Finding> findings) throws IOException {
    KnownDamage known = new KnownDamage(folder.resolve(FILE));
    try {
      if (SafeFiles.problem(known.file, SafeFiles.Kind.FILE) == null) {
        Json json = Json.parse(SafeFiles.readText(known.file, MOST));
        for (Json entry : json.fields().getOrDefault("known", Json.NULL).items()) {
          known.entries.add(Entry.of(entry.fields()));
        }
      }
    } catch (NoSuchFileException e) {
      return known;
    } catch (JsonException | IOException e) {
      findings.accept(
          Finding.note(
              "bad-known-damage",
              Finding.Place.of(known.file),
              "It can't be read, so all damage counts as new."));
    }
    return known;
  }

  /**
   * Turns a finding into a note if it is known. Records it first if {@code remember} is set and
   * nothing else repairs it.
   */
  public Finding judge(Finding finding, boolean remember) {
    Topic topic = finding.place().topic();
    if (topic == null || finding.code().equals("torn-tail")) {
      return finding;
    }
    Entry entry =
        new Entry(topic.name(), finding.code(), finding.place().offset(), finding.place().length());
    if (entries.contains(entry)) {
      String message = "Known " + finding.code() + ": " + finding.message();
      return Finding.note("known", finding.place(), message);
    }
    if (!remember) {
      return finding;
    }
    entries.add(entry);
    changed = true;
    return finding.done();
  }

  public void save() throws IOException {
    if (changed) {
      Json json =
          Json.object().put("known", Json.of(entries.stream().map(Entry::toJson).toList())).build();
      SafeFiles.replace(file, (json + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
