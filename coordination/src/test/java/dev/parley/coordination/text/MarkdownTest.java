package dev.parley.coordination.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"Use TLS, version 1.3.", "a - b + c = d (e)", "src/auth/handler.go", "50 % of it"})
  void ordinaryTextStaysAsItIs(String text) {
    assertThat(Markdown.line(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '"',
      value = {
        "# Approved → \\# Approved",
        "- x → \\- x",
        "12. x → 12\\. x",
        "12) x → 12\\) x",
        "> x → &gt; x",
        "a | b → a \\| b",
        "**x** _y_ ~~z~~ → \\*\\*x\\*\\* \\_y\\_ \\~\\~z\\~\\~",
        "`x` → \\`x\\`",
        "[x](javascript:y) → \\[x\\](javascript:y)",
        "<script>x</script> → &lt;script&gt;x&lt;/script&gt;",
        "<!-- BUS:warning --> → &lt;!-- BUS:warning --&gt;",
        "&lt; → &amp;lt;",
        "http://x www.x.y → http\\://x www\\.x.y",
        "a\\b → a\\\\b",
      })
  void whatMeansSomethingIsMadeToMeanNothing(String text, String shown) {
    assertThat(Markdown.line(text)).isEqualTo(shown);
  }

  @Test
  void nothingLeavesItsLineOrMovesACursor() {
    Random random = Seed.random("markdown");
    for (int run = 0; run < 5_000; run++) {
      String line = Markdown.line("# a\n" + Seed.nastyText(random, 60));
      assertThat(line.codePoints())
          .noneMatch(Character::isISOControl)
          .noneMatch(c -> Character.getType(c) == Character.FORMAT)
          .noneMatch(c -> c == '\u2028' || c == '\u2029' || c == '<' || c == '>');
      assertThat(line).startsWith("\\# a");
    }
  }
}
