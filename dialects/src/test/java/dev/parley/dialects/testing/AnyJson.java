package dev.parley.dialects.testing;

import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** JSON values of every kind. */
public final class AnyJson {
  private final Random random;

  public AnyJson(Random random) {
    this.random = random;
  }

  public Json value(int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> Json.NULL;
      case 1 -> Json.of(random.nextBoolean());
      case 2 -> Json.of(random.nextLong());
      case 3 -> Json.parse(Double.toString(random.nextDouble()));
      case 4 -> Json.of(Seed.nastyText(random, 20));
      case 5 -> array(depth - 1);
      default -> object(depth - 1);
    };
  }

  private Json array(int depth) {
    List<Json> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(value(depth));
    }
    return Json.of(items);
  }

  /** An object with keys that no design knows. */
  public Json object(int depth) {
    Json.ObjectBuilder json = Json.object();
    for (int i = random.nextInt(4); i > 0; i--) {
      json.put("x" + i, value(depth));
    }
    return json.build();
  }
}
