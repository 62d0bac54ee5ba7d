package dev.parley.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        " { } |{}",
        "[ ]|[]",
        " [ 1 , [ ] , { \"a\" : null } ] |[1,[],{\"a\":null}]",
        "\"a\\nb\"|\"a\\nb\"",
        "-0.5e+10|-0.5e+10",
        "\"a\u007fb\"|\"a\\u007fb\"",
        "\"a\u0085b\"|\"a\\u0085b\"",
        "\"a\u2028\u2029b\"|\"a\\u2028\\u2029b\"",
        "\"ä日🙂\"|\"ä日🙂\"",
        "{\"k\u0085\":1}|{\"k\\u0085\":1}",
      })
  void parsingKeepsTheValueAndMakesItOneSafeLine(String text, String expected) {
    assertThat(Json.parse(text)).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "[1",
        "[1,]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "'a'",
        "\"a",
        "\"\t\"",
        "\"\\q\"",
        "\"\\u00g0\"",
        "01",
        "1.",
        ".5",
        "1e",
        "+1",
        "--1",
        "nul",
        "True",
        "1 2",
        "{} {}",
        "{\"a\":1,\"a\":2}",
        "{\"x\":{\"a\":1,\"\\u0061\":2}}",
        "[1 2]",
        "NaN",
        "// x"
      })
  void whatIsNotJsonIsRefused(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(JsonException.class);
  }

  @Test
  void objectsAndArraysAreLookedIntoOnDemand() {
    Json json = Json.parse("{\"a\":[1,\"x\",true],\"b\":{\"c\":\"\\u00e4\"},\"n\":-7}");

    assertThat(json.fields()).containsOnlyKeys("a", "b", "n");
    assertThat(json.fields().get("a").items())
        .containsExactly(Json.of(1), Json.of("x"), Json.of(true));
    assertThat(json.fields().get("b").fields().get("c").text()).isEqualTo("ä");
    assertThat(json.fields().get("n").number(0)).isEqualTo(-7);
    assertThat(json.fields().get("b").number(5)).isEqualTo(5);
    assertThat(json.items()).isEmpty();
    assertThat(json.text()).isNull();
  }

  @Test
  void objectsCanBeBuilt() {
    assertThat(
            Json.object()
                .put("s", "a\"b")
                .put("n", 1)
                .put("t", true)
                .put("z", (String) null)
                .build())
        .hasToString("{\"s\":\"a\\\"b\",\"n\":1,\"t\":true,\"z\":null}");
    assertThat(Json.object().build()).isEqualTo(Json.EMPTY_OBJECT);
  }

  @Test
  void depthIsCountedOutsideStringsOnly() {
    assertThat(Json.parse("[\"[[[[[[[[[[\",[[]]]").isDeeperThan(2)).isTrue();
    assertThat(Json.parse("[\"[[[[[[[[[[\",[[]]]").isDeeperThan(3)).isFalse();
    assertThat(Json.parse("[\"\\\"[[[[[[\"]").isDeeperThan(1)).isFalse();
    assertThatThrownBy(() -> Json.parse("[".repeat(64) + "]".repeat(64)))
        .hasMessageContaining("nested deeper than 63");
  }

  @Test
  void whatIsOpenedAtOnceHasTheSameFields() {
    String text = "{\"a\":{\"b\":{\"c\":[1,{}]},\"d\":2},\"e\":[{}],\"f\":{}}";
    for (int levels = 0; levels < 5; levels++) {
      Json opened = Json.opened(text.getBytes(StandardCharsets.UTF_8), levels);
      assertThat(opened).isEqualTo(Json.parse(text));
      assertSameFields(opened, Json.parse(text));
    }
    assertThatThrownBy(() -> Json.opened("{\"a\":{".getBytes(StandardCharsets.UTF_8), 2))
        .isInstanceOf(JsonException.class);
  }

  private static void assertSameFields(Json opened, Json parsed) {
    assertThat(opened.fields()).isEqualTo(parsed.fields());
    opened
        .fields()
        .forEach((name, value) -> {
          assertSameFields(value, Objects.requireNonNull(parsed.fields().get(name)));
        });
  }

  @Test
  void anyTextComesBackFromAString() {
    Random random = Seed.random("anyTextComesBackFromAString");
    for (int i = 0; i < 50_000; i++) {
      String text = Seed.nastyText(random, 40);
      Json json = Json.of(text);
      assertThat(json.text()).isEqualTo(text);
      assertThat(Json.parse(json.toString())).isEqualTo(json);
    }
  }
}
