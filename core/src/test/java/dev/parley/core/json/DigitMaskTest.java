package dev.parley.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DigitMaskTest {
  private final Random random = Seed.random("stencil");

  @Test
  void digitsThatAreFreeMayBeOthersAndNothingElseMay() {
    for (int run = 0; run < 2_000; run++) {
      byte[] text = text(1 + random.nextInt(40));
      int freeFrom = random.nextInt(text.length);
      int freeTo = freeFrom + random.nextInt(text.length - freeFrom);
      DigitMask stencil = DigitMask.of(text, text.length).freeDigits(freeFrom, freeTo);
      int from = random.nextInt(10);
      byte[] bytes = new byte[from + text.length + ByteWords.SIZE];
      System.arraycopy(text, 0, bytes, from, text.length);
      assertThat(stencil.isAt(bytes, from, from + text.length)).isTrue();
      assertThat(stencil.isAt(bytes, from, from + text.length - 1)).isFalse();

      int changed = random.nextInt(text.length);
      boolean isFree = changed >= freeFrom && changed < freeTo && isDigit(text[changed]);
      for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
        bytes[from + changed] = (byte) value;
        assertThat(stencil.isAt(bytes, from, from + text.length))
            .isEqualTo(value == text[changed] || (isFree && isDigit((byte) value)));
      }
    }
  }

  @Test
  void nearTheEndOfTheArrayItSaysNoInsteadOfReadingBeyond() {
    byte[] bytes = "0123456789".getBytes(StandardCharsets.US_ASCII);

    assertThat(DigitMask.of(bytes, 8).isAt(bytes, 0, 8)).isTrue();
    assertThat(DigitMask.of(bytes, 9).isAt(bytes, 0, 9)).isFalse();
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private byte[] text(int length) {
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = (byte) (random.nextBoolean() ? '0' + random.nextInt(10) : 'a' + random.nextInt(26));
    }
    return text;
  }
}
