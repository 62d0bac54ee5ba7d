package dev.parley.dialects.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.json.Json;
import org.junit.jupiter.api.Test;

/** How texts of foreign files are laid out, split and named. */
class TextsTest {
  /** Seed 2.1: as other tools write it, and without a newline at the end. */
  @Test
  void jsonIsIndentedByTwoSpacesAndWhatIsEmptyStaysShort() {
    Json json = Json.parse("{\"a\":[1,{\"b\":\"é\\n\"}],\"c\":[],\"d\":{},\"e\":null}");

    assertThat(new String(IndentedJson.bytes(json), UTF_8))
        .isEqualTo(
            """
            {
              "a": [
                1,
                {
                  "b": "é\\n"
                }
              ],
              "c": [],
              "d": {},
              "e": null
            }\
            """);
    assertThat(Json.parse(new String(IndentedJson.bytes(json), UTF_8))).isEqualTo(json);
    assertThat(IndentedJson.text(Json.parse("[1]"), 1)).isEqualTo("[\n    1\n  ]");
  }

  @Test
  void linesAreFoundWithTheirPlacesAndTheLastMayBeUnfinished() {
    TextLines lines = new TextLines("a\n\nbü\nc".getBytes(UTF_8));

    assertThat(lines.count()).isEqualTo(4);
    assertThat(lines.text(2)).isEqualTo("bü");
    assertThat(lines.start(3)).isEqualTo(7);
    assertThat(lines.start(4)).isEqualTo(8);
    assertThat(lines.text(0, 2)).isEqualTo("a\n\n");
    assertThat(lines.isWhole(2)).isTrue();
    assertThat(lines.isWhole(3)).isFalse();
    assertThat(new TextLines(new byte[0]).count()).isZero();
  }

  @Test
  void aNameIsTheSameForTheSameTextAlone() {
    assertThat(Fingerprint.hex("a", 16)).hasSize(16).isEqualTo(Fingerprint.hex("a", 16));
    assertThat(Fingerprint.hex("b", 16)).isNotEqualTo(Fingerprint.hex("a", 16));
    assertThat(Fingerprint.uuid("a")).isEqualTo(Fingerprint.uuid("a"));
    assertThat(Fingerprint.unique()).isNotEqualTo(Fingerprint.unique());
  }
}
