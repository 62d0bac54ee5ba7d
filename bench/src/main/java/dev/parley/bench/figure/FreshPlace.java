package dev.parley.bench.figure;

import dev.parley.bench.measure.Lab;
import java.io.IOException;
import java.nio.file.Path;

/** Gives a carrier a fresh place for each round: a folder, or a name on its server. */
record FreshPlace(Lab lab, String carrier) {
  String prepare() throws IOException, InterruptedException {
    return switch (carrier) {
      case "redis" -> lab.redis().port() + "/" + lab.newName();
      case "jetstream" -> lab.nats().port() + "/" + lab.newName();
      default -> lab.newFolder().toString();
    };
  }

  /** Takes away what a round left. */
  void clear(String place) throws IOException {
    if (place.startsWith("/")) {
      Lab.delete(Path.of(place));
    }
  }
}
