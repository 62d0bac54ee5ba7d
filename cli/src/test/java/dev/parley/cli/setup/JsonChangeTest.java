package dev.parley.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonChangeTest {
  private static final int ROUNDS = Boolean.getBoolean("parley.long") ? 200_000 : 3_000;
  private static final String COMMENT = "keep{me},[\"]";

  private final long seed = Long.getLong("parley.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int comments;

  private static String changed(String text, String wanted) {
    return JsonChange.to(Json.parse(wanted), text);
  }

  @Test
  void whatIsAddedFollowsTheFormAndWhatIsTakenAwayLeavesNoTrace() {
    String text = "{\n\t\"a\": 1, // one\n\t\"b\": [1, 2] /* two */\n}\n";
    String more = changed(text, "{\"a\":1,\"b\":[1,2],\"c\":{\"d\":true}}");
    assertThat(more)
        .isEqualTo(
            "{\n\t\"a\": 1, // one\n\t\"b\": [1, 2] /* two */,\n\t\"c\": {\n\t\t\"d\": true\n\t}\n}\n"
                .replace(" /* two */,", ", /* two */"));
    assertThat(changed(more, "{\"a\":1,\"b\":[1,2]}")).isEqualTo(text);
    assertThat(changed("{}", "{\"a\":1}")).isEqualTo("{\n  \"a\": 1\n}");
    assertThat(changed("{ // c\r\n}", "{\"a\":1}")).isEqualTo("{ // c\r\n  \"a\": 1\r\n}");
    assertThat(changed("{\"a\":1}", "{}")).isEqualTo("{}");
  }

  @Test
  void whateverTheFormTheTextMeansWhatIsWantedAndNoCommentOfWhatStaysIsLost() {
    for (int round = 0; round < ROUNDS; round++) {
      Json before = value(3);
      comments = 0;
      String text = noise() + written(before) + noise();
      Json wanted = random.nextInt(4) == 0 ? value(3) : mutated(before, true);

      String now = JsonChange.to(wanted, text);

      String what = "seed " + seed + " round " + round + ":\n" + text + "\n--- to\n" + now;
      Json meant = JsonLayout.of(now).json();
      assertThat(sorted(meant)).as(what).isEqualTo(sorted(wanted));
      assertThat(JsonChange.to(wanted, now)).as(what).isEqualTo(now);

      Json more = mutated(before, false);
      String longer = JsonChange.to(more, text);
      assertThat(longer.split("keep", -1)).as(what).hasSize(comments + 1);
      assertThat(sorted(JsonLayout.of(longer).json())).as(what).isEqualTo(sorted(more));
    }
  }

  /** The order of keys is the text's own. */
  private static String sorted(Json json) {
    if (json.isObject()) {
      List<String> all = new ArrayList<>();
      json.fields().forEach((key, value) -> all.add(Json.of(key) + ":" + sorted(value)));
      all.sort(null);
      return "{" + String.join(",", all) + "}";
    }
    return json.isArray()
        ? json.items().stream().map(JsonChangeTest::sorted).toList().toString()
        : json.toString();
  }

  private Json value(int depth) {
    Json.ObjectBuilder object = Json.object();
    for (int i = random.nextInt(4); i > 0; i--) {
      object.put("k" + i + random.nextInt(2), depth == 0 ? leaf() : part(depth - 1));
    }
    return object.build();
  }

  private Json part(int depth) {
    return switch (random.nextInt(3)) {
      case 0 -> value(depth);
      case 1 -> {
        List<Json> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          items.add(random.nextBoolean() ? leaf() : value(depth));
        }
        yield Json.of(items);
      }
      default -> leaf();
    };
  }

  private Json leaf() {
    return random.nextBoolean()
        ? Json.of(random.nextInt(3))
        : Json.of("//\"\\{," + random.nextInt(3));
  }

  /** With parts added, and perhaps others taken away. */
  private Json mutated(Json json, boolean less) {
    if (json.isArray()) {
      List<Json> items = new ArrayList<>(json.items());
      items.removeIf(_ -> less && random.nextInt(3) == 0);
      items.add(leaf());
      return Json.of(items);
    }
    if (!json.isObject()) {
      return json;
    }
    Json.ObjectBuilder object = Json.object();
    for (Map.Entry<String, Json> field : json.fields().entrySet()) {
      if (!less || random.nextInt(3) > 0) {
        object.put(
            field.getKey(),
            random.nextBoolean() ? field.getValue() : mutated(field.getValue(), less));
      }
    }
    return object.put("n" + random.nextInt(3), leaf()).build();
  }

  private String written(Json json) {
    if (!json.isObject() && !json.isArray()) {
      return json.toString();
    }
    List<String> parts = new ArrayList<>();
    json.fields()
        .forEach(
            (key, value) -> parts.add(Json.of(key) + noise() + ":" + noise() + written(value)));
    json.items().forEach(item -> parts.add(written(item)));
    StringBuilder text = new StringBuilder(json.isObject() ? "{" : "[").append(noise());
    for (int i = 0; i < parts.size(); i++) {
      boolean comma = i + 1 < parts.size() || random.nextInt(4) == 0;
      text.append(parts.get(i)).append(noise()).append(comma ? "," : "").append(noise());
    }
    return text.append(json.isObject() ? "}" : "]").toString();
  }

  private String noise() {
    return switch (random.nextInt(8)) {
      case 0 -> "\n  ";
      case 1 -> " ";
      case 2 -> comment(" // ", "\n");
      case 3 -> comment("/*", "*/");
      default -> "";
    };
  }

  private String comment(String begin, String end) {
    comments++;
    return begin + COMMENT + end;
  }
}
