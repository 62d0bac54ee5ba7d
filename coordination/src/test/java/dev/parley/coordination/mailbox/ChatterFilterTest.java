package dev.parley.coordination.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.coordination.text.UnicodeLetters;
import dev.parley.core.Seed;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChatterFilterTest {
  /** What folds have decided by so far: a difference would decide old logs otherwise. */
  private static String wordsByPattern(String body) {
    return body.toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} ]", "")
        .strip()
        .replaceAll(" +", " ");
  }

  /** Only letters of ASCII are made small, because all that is looked for is ASCII. */
  private static String small(String words) {
    return words.toLowerCase(Locale.ROOT).replace("\u0307", "").replace('ς', 'σ');
  }

  @Test
  void whatIsALetterOrANumberIsWhatUnicode16Says() {
    assumeThat(Runtime.version().feature()).isEqualTo(25);
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int type = Character.getType(c);
      boolean is =
          Character.isLetterOrDigit(c)
              || type == Character.LETTER_NUMBER
              || type == Character.OTHER_NUMBER;
      if (UnicodeLetters.isLetterOrNumber(c) != is) {
        fail("U+%X", c);
      }
    }
  }

  @Test
  void capitalsThatHaveASmallLetterOfAsciiAreThatLetter() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      String text = Character.toString(c);
      String lower = wordsByPattern(text);
      if (lower.length() == 1 && lower.charAt(0) < 0x80) {
        assertThat(ChatterFilter.words(text)).isEqualTo(lower);
      }
    }
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

      assertThat(small(ChatterFilter.words(text.toString())))
          .isEqualTo(small(wordsByPattern(text.toString())));
    }
    assertThat(ChatterFilter.words("  Got   it!! ")).isEqualTo("got it");
  }
}
