package dev.parley.filelog;

import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.store.Contents;
import dev.parley.core.time.Timestamps;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.disk.MachineIdentity;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings in {@code bus.json}, which hold for every program that opens the bus.
 *
 * <pre>
 * {"format":2,"id":"k5x2mq7hd3vwznab","host":"build-7","created":"2026-11-15T21:28:00.123456Z",
 *  "maxLine":1048576,"maxDepth":64,"rememberedWriters":1024,"maxContent":67108864,
 *  "maxForeignId":1000,"maxForeignLine":134217728,"durability":"os","networkFileSystem":false}
 * </pre>
 *
 * <p>Only {@code format} is required. Format 2 means that native lines have checksums; programs
 * that write none refuse it. A folder without the file, as other tools make it, is a bus of format
 * 1 with default limits.
 *
 * @param id the key of the bus in the registry of trusted buses; empty if absent or malformed
 * @param host the machine that made the bus; a folder belongs to one machine
 * @param networkFileSystem whether the user allowed a network file system
 */
public record BusSettings(
    int format,
    String id,
    String host,
    Limits limits,
    int maxContent,
    ImportLimits foreign,
    Durability durability,
    boolean networkFileSystem) {
  public static final String FILE = "bus.json";

  /** The newest format this program can write. */
  static final int FORMAT = 2;

  /** How large the file may be, in bytes. */
  private static final int MOST = 1 << 20;

  /** The format of a folder without settings. */
  private static final int UNSAID_FORMAT = 1;

  public static final BusSettings DEFAULT =
      new BusSettings(
          UNSAID_FORMAT,
          "",
          "",
          Limits.DEFAULT,
          Contents.DEFAULT_LIMIT,
          ImportLimits.DEFAULT,
          Durability.OS,
          false);

  public static BusSettings read(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return DEFAULT;
      }
      return of(folder, file, Json.parse(SafeFiles.readText(file, MOST)).fields());
    } catch (JsonException | CharacterCodingException e) {
      throw bad(file, "it is not JSON");
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  private static BusSettings of(Path folder, Path file, Map<String, Json> fields) {
    int format = number(fields, "format", 0);
    if (format < 1) {
      throw bad(file, "it names no format");
    }
    if (format > FORMAT) {
      throw ParleyException.refused(
          "newer-format",
          "The bus " + folder + " has format " + format + "; this program knows " + FORMAT + ".",
          "Install a newer Parley.");
    }
    return new BusSettings(
        format,
        id(fields),
        text(fields, "host", ""),
        new Limits(
            number(fields, "maxLine", Limits.DEFAULT_LINE),
            number(fields, "maxDepth", Limits.DEFAULT_DEPTH),
            number(fields, "rememberedWriters", Limits.DEFAULT_WRITERS)),
        maxContent(number(fields, "maxContent", Contents.DEFAULT_LIMIT)),
        new ImportLimits(
            number(fields, "maxForeignId", ImportLimits.DEFAULT_ID),
            number(fields, "maxForeignLine", ImportLimits.DEFAULT_LINE)),
        Durability.named(text(fields, "durability", "os")),
        fields.getOrDefault("networkFileSystem", Json.NULL).isTrue());
  }

  /** The value of one setting in the file; null if absent. */
  static @Nullable Json read(Path folder, String name) {
    Path file = folder.resolve(FILE);
    try {
      return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          ? Json.parse(SafeFiles.readText(file, MOST)).fields().get(name)
          : null;
    } catch (JsonException | CharacterCodingException e) {
      throw bad(file, "it is not JSON");
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  /**
   * Writes one setting into the file. Programs that have the bus open keep the old value.
   *
   * @throws ParleyException INVALID if the value is not allowed
   */
  static void set(Path folder, String name, Json value) {
    Path file = folder.resolve(FILE);
    try {
      byte[] changed = with(file, name, value);
      var _ = of(folder, file, Json.parse(changed, Limits.DEFAULT_DEPTH).fields());
      SafeFiles.replace(file, changed);
    } catch (JsonException | CharacterCodingException e) {
      throw bad(file, "it is not JSON");
    } catch (IOException e) {
      throw IoErrors.reading(file, e);
    }
  }

  private static String id(Map<String, Json> fields) {
    String id = text(fields, "id", "");
    return BusId.isValid(id) ? id : "";
  }

  /** Default settings under the same id, used for a bus that is not trusted. */
  public BusSettings unobeyed() {
    return new BusSettings(
        format,
        id,
        host,
        DEFAULT.limits,
        DEFAULT.maxContent,
        DEFAULT.foreign,
        DEFAULT.durability,
        networkFileSystem);
  }

  /**
   * Raises the format of an older bus before a line of the newest format is written, so that older
   * programs refuse the bus. If that fails, the next writer tries again.
   */
  static void raiseFormat(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      int format = number(Json.parse(SafeFiles.readText(file, MOST)).fields(), "format", 0);
      if (format >= 1 && format < FORMAT) {
        SafeFiles.replace(file, with(file, "format", Json.of(FORMAT)));
      }
    } catch (IOException | JsonException e) {
      // The file is absent, or opening the bus reports what is wrong with it.
    }
  }

  private static int maxContent(int bytes) {
    if (bytes < 0 || bytes > Contents.MAX_LIMIT) {
      throw ParleyException.invalid(
          "bad-limits",
          "The limit maxContent is out of range.",
          "Use 0 to " + Contents.MAX_LIMIT + " bytes.");
    }
    return bytes;
  }

  private static String text(Map<String, Json> fields, String name, String otherwise) {
    String text = fields.getOrDefault(name, Json.NULL).text();
    return text == null ? otherwise : text;
  }

  private static int number(Map<String, Json> fields, String name, int otherwise) {
    Json value = fields.get(name);
    return value == null ? otherwise : Math.clamp(value.number(-1), -1, Integer.MAX_VALUE);
  }

  private static ParleyException bad(Path file, String why) {
    return ParleyException.refused(
        "bad-bus-json", file + " can't be used: " + why + ".", ParleyException.NEXT_BY_CODE);
  }

  public static byte[] forNewBus(Instant now, String id) {
    return bytes(
        Json.object()
            .put("format", FORMAT)
            .put("id", id)
            .put("host", MachineIdentity.name())
            .put("created", Timestamps.format(now))
            .build());
  }

  /** The content of the file with one member changed. */
  private static byte[] with(Path file, String name, Json value) throws IOException {
    Map<String, Json> fields =
        new LinkedHashMap<>(Json.parse(SafeFiles.readText(file, MOST)).fields());
    fields.put(name, value);
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return bytes(json.build());
  }

  /** The content of the file with another id. */
  public static byte[] withId(Path file, String id) throws IOException {
    return with(file, "id", Json.of(id));
  }

  private static byte[] bytes(Json json) {
    return (json + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
