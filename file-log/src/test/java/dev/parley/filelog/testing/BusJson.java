package dev.parley.filelog.testing;

import dev.parley.core.json.Json;
import dev.parley.filelog.BusSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Changes the settings of a bus as its user would, keeping its id. */
public final class BusJson {
  private BusJson() {}

  /**
   * Replaces all settings but the format and the id.
   *
   * @param settings members of a JSON object
   */
  public static void set(Path bus, String settings) throws IOException {
    Path file = bus.resolve(BusSettings.FILE);
    String id = Json.parse(Files.readString(file)).fields().getOrDefault("id", Json.NULL).text();
    Files.writeString(
        file,
        "{\"format\":1"
            + (id == null ? "" : ",\"id\":\"" + id + "\"")
            + (settings.isEmpty() ? "" : "," + settings)
            + "}");
  }
}
