package dev.parley.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.json.Json;
import org.junit.jupiter.api.Test;

class PrintableTest {
  @Test
  void noCharacterThatControlsATerminalIsShownAsItIs() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      boolean controls =
          c < 0x20
              || (c >= 0x7f && c < 0xa0)
              || c == 0x2028
              || c == 0x2029
              || c == 0x61c
              || (c >= 0x200e && c <= 0x200f)
              || (c >= 0x202a && c <= 0x202e)
              || (c >= 0x2066 && c <= 0x2069)
              || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
      String character = Character.toString(c);
      if (controls) {
        assertThat(Printable.text("a" + character)).as("U+%04x", c).startsWith("a\\");
        assertThat(Printable.json("\"" + character + "\""))
            .as("U+%04x", c)
            .doesNotContain(character);
      }
    }
  }

  @Test
  void inJsonWhatCantBeSeenIsEscapedAndMeansTheSame() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      boolean hidden =
          Character.getType(c) == Character.FORMAT
              || c == 0x3164
              || c == 0xfe0f
              || (c >= 0xe0100 && c <= 0xe01ef);
      if (hidden) {
        String character = Character.toString(c);
        Json value = Json.of(character);
        byte[] shown = Printable.json(value.toString().getBytes(UTF_8));
        assertThat(new String(shown, UTF_8)).as("U+%04x", c).doesNotContain(character);
        assertThat(Json.parse(new String(shown, UTF_8)).text()).isEqualTo(character);
      }
    }
    byte[] plain = Json.of("naïve 日本語 😀").toString().getBytes(UTF_8);
    assertThat(Printable.json(plain)).isEqualTo(plain);
  }

  @Test
  void ordinaryTextIsLeftAlone() {
    String text = "naïve 日本語 עברית 👩‍💻 \\ \"";

    assertThat(Printable.text(text)).isEqualTo(text);
  }

  @Test
  void escapedJsonMeansTheSameAsBefore() {
    String line = "{\"a\":\t\"\u0085\u202e\u007f\"}";

    String shown = Printable.json(line);

    assertThat(shown).isEqualTo("{\"a\": \"\\u0085\\u202e\\u007f\"}");
    assertThat(Json.parse(shown).fields().get("a").text())
        .isEqualTo(Json.parse(line).fields().get("a").text());
  }
}
