package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DamperTest {
  /** What folds have decided by so far: a difference would decide old logs otherwise. */
  private static String wordsByPattern(String body) {
    return body.toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} ]", "")
        .strip()
        .replaceAll(" +", " ");
  }

  @Test
  void theWordsOfAnyTextAreWhatThePatternsSay() {
    Random random = Seed.random("words");
    int[] alphabet =
        "aZß é٣Ⅷ½ \t\n\u00a0\u2028.!?-'ǅ\u0301".concat("𝔸😀").concat(" ").codePoints().toArray();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(20); n > 0; n--) {
        text.appendCodePoint(
            random.nextInt(4) == 0
                ? random.nextInt(0xd800)
                : alphabet[random.nextInt(alphabet.length)]);
      }

      assertThat(Damper.words(text.toString())).isEqualTo(wordsByPattern(text.toString()));
    }
    assertThat(Damper.words("  Got   it!! ")).isEqualTo("got it");
  }
}
