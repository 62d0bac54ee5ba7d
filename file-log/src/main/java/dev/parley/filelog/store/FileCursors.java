package dev.parley.filelog.store;

import dev.parley.core.Bookmark;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.store.Cursors;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps each cursor in {@code <bus>/cursors/<name>.json}, replaced as a whole.
 *
 * <pre>
 * {"notes":{"position":412,"proof":"-1f3a…"},"notes.build":{"position":96,"proof":"70c…"}}
 * </pre>
 */
public final class FileCursors implements Cursors {
  public static final String FOLDER = "cursors";

  /** The largest cursor in bytes; it has a position for each topic. */
  private static final int MOST = 64 << 20;

  private final Path folder;

  public FileCursors(Path bus) {
    this.folder = bus.resolve(FOLDER);
  }

  @Override
  public Map<Topic, Bookmark> load(String name) {
    Path file = file(name);
    Map<Topic, Bookmark> places = new TreeMap<>();
    try {
      Json.parse(SafeFiles.readText(file, MOST))
          .fields()
          .forEach((topic, place) -> places.put(new Topic(topic), bookmark(place)));
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (JsonException
        | IllegalArgumentException
        | CharacterCodingException
        | ParleyException e) {
      throw ParleyException.refused(
          "bad-cursor",
          "The cursor " + name + " can't be read: " + file + " is damaged.",
          "Remove the file to start again from the beginning.");
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
    return places;
  }

  private static Bookmark bookmark(Json place) {
    Map<String, Json> fields = place.fields();
    String proof = fields.getOrDefault("proof", Json.of("0")).text();
    return new Bookmark(
        new Position(fields.getOrDefault("position", Json.NULL).number(-1)),
        Long.parseLong(proof == null ? "" : proof, 16));
  }

  @Override
  public void save(String name, Map<Topic, Bookmark> places) {
    Path file = file(name);
    Json.ObjectBuilder json = Json.object();
    places.forEach((topic, place) ->
        json.put(
            topic.name(),
            Json.object()
                .put("position", place.position().value())
                .put("proof", Long.toString(place.proof(), 16))
                .build()));
    try {
      SafeFiles.createFolder(folder);
      SafeFiles.replace(file, json.build().toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      IoErrors trouble = IoErrors.writing(file, e);
      throw new ParleyException(
          ParleyException.Kind.FAILED, trouble.code(), trouble.what(), trouble.next(), e);
    }
  }

  private Path file(String name) {
    return folder.resolve(Cursors.checkName(name) + ".json");
  }
}
