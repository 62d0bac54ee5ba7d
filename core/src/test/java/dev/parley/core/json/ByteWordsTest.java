package dev.parley.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteWordsTest {
  private final Random random = Seed.random("words");

  @Test
  void findsTheFirstByteWhereverItStands() {
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = someBytes(random.nextInt(40));
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      int expected = from;
      while (expected < to && bytes[expected] != '\n') {
        expected++;
      }
      assertThat(ByteWords.find(bytes, from, to, '\n')).isEqualTo(expected);
    }
  }

  @Test
  void tellsWhetherAllIsPrintable() {
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = "x".repeat(random.nextInt(40)).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (0x20 + random.nextInt(0x5f));
      }
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      int from = random.nextInt(bytes.length + 1);
      boolean expected = true;
      for (int i = from; i < bytes.length; i++) {
        expected &= bytes[i] >= 0x20 && bytes[i] < 0x7f;
      }
      assertThat(ByteWords.arePrintable(bytes, from, bytes.length)).isEqualTo(expected);
    }
  }

  @Test
  void countsTheBracketsThatOpen() {
    byte[] close = {'{', '[', 'Z', '\\', 'z', '|', ';', ']', '}', 0, (byte) 0xdb, (byte) 0xfb};
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = someBytes(random.nextInt(40));
      int expected = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (random.nextBoolean()) {
          bytes[i] = close[random.nextInt(close.length)];
        }
        expected += bytes[i] == '{' || bytes[i] == '[' ? 1 : 0;
      }
      assertThat(ByteWords.openingBrackets(bytes)).isEqualTo(expected);
    }
  }

  @Test
  void marksTheFirstByteOfAStringThatNeedsACloserLook() {
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = someBytes(ByteWords.SIZE);
      int expected = 0;
      while (expected < ByteWords.SIZE && isPlain(bytes[expected])) {
        expected++;
      }
      assertThat(ByteWords.first(ByteWords.special(ByteWords.at(bytes, 0)))).isEqualTo(expected);
    }
  }

  @Test
  void everyByteIsPlainOrSpecialWhateverStandsAroundIt() {
    for (int value = 0; value < 256; value++) {
      for (int at = 0; at < ByteWords.SIZE; at++) {
        byte[] bytes = "aaaaaaaa".getBytes(StandardCharsets.US_ASCII);
        bytes[at] = (byte) value;
        assertThat(ByteWords.first(ByteWords.special(ByteWords.at(bytes, 0))))
            .isEqualTo(isPlain((byte) value) ? ByteWords.SIZE : at);
      }
    }
  }

  @Test
  void aTokenIsRecognisedAndNothingElse() {
    for (int run = 0; run < 20_000; run++) {
      byte[] text = new byte[1 + random.nextInt(Token.MAX)];
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) ('a' + random.nextInt(26));
      }
      Token token = new Token(new String(text, StandardCharsets.US_ASCII));
      byte[] bytes = someBytes(40);
      int at = random.nextInt(bytes.length - Token.MAX + 1);
      System.arraycopy(text, 0, bytes, at, text.length);
      assertThat(token.isAt(bytes, at)).isTrue();
      bytes[at + random.nextInt(text.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(token.isAt(bytes, at)).isFalse();
    }
  }

  private static boolean isPlain(byte b) {
    return b >= 0x20 && b < 0x7f && b != '"' && b != '\\';
  }

  /** Mostly plain bytes, with some around the limits. */
  private byte[] someBytes(int length) {
    byte[] limits = {
      0, 9, 10, 11, 0x1f, 0x20, 0x21, '"', '#', '[', '\\', ']', 0x7e, 0x7f, -128, -1
    };
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = random.nextInt(4) == 0 ? limits[random.nextInt(limits.length)] : (byte) 'x';
    }
    return bytes;
  }
}
