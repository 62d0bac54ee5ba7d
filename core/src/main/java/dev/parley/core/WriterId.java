package dev.parley.core;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Names one opened log in one process: 80 random bits as 16 characters {@code a-z2-7}.
 *
 * <p>An envelope's id is the writer, a hyphen, and the number of the message among all the writer's
 * messages, without leading zeros.
 */
public final class WriterId {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 16;
  private static final int RANDOM_BYTES = 10;
  private static final Path URANDOM = Path.of("/dev/urandom");

  private final String text;

  private WriterId(String text) {
    this.text = text;
  }

  public static WriterId random() {
    byte[] random = randomBytes();
    StringBuilder text = new StringBuilder(LENGTH);
    long bits = 0;
    int held = 0;
    for (byte b : random) {
      bits = bits << 8 | (b & 0xff);
      held += 8;
      for (; held >= 5; held -= 5) {
        text.append(ALPHABET.charAt((int) (bits >> (held - 5)) & 31));
      }
    }
    return new WriterId(text.toString());
  }

  /** The kernel's source directly: loading the security providers takes longer than a command. */
  private static byte[] randomBytes() {
    if (Files.isReadable(URANDOM)) {
      try (InputStream in = Files.newInputStream(URANDOM)) {
        byte[] random = in.readNBytes(RANDOM_BYTES);
        if (random.length == RANDOM_BYTES) {
          return random;
        }
      } catch (IOException e) {
        // Some sandboxes show the device but do not let it be read: the library has other sources.
      }
    }
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return random;
  }

  public String id(long number) {
    return text + '-' + number;
  }

  /** The writer in an id, or null if the id is not native. */
  public static @Nullable String in(String id) {
    byte[] ascii = id.getBytes(StandardCharsets.US_ASCII);
    return isNative(ascii, 0, ascii.length) ? id.substring(0, LENGTH) : null;
  }

  static boolean isNative(byte[] id, int from, int to) {
    int digits = from + LENGTH + 1;
    if (to <= digits || to - digits > 18 || id[digits - 1] != '-' || id[digits] == '0') {
      return false;
    }
    for (int i = from; i < digits - 1; i++) {
      byte c = id[i];
      if (!((c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'))) {
        return false;
      }
    }
    for (int i = digits; i < to; i++) {
      if (id[i] < '0' || id[i] > '9') {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return text;
  }
}
