package dev.parley.core;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Names one opened log in one process: 80 random bits, written as 16 characters {@code a-z2-7}.
 *
 * <p>An envelope's id is the writer, a hyphen, and the number of the message among all the writer's
 * messages, without leading zeros.
 *
 * @param high the first eight characters, five bits each
 * @param low the other eight
 */
public record WriterId(long high, long low) {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 16;
  private static final int HALF = 8;
  private static final int MAX_DIGITS = 18;
  private static final int RANDOM_BYTES = 10;
  private static final Path URANDOM = Path.of("/dev/urandom");

  public static WriterId random() {
    byte[] random = randomBytes();
    return new WriterId(fortyBits(random, 0), fortyBits(random, 5));
  }

  private static long fortyBits(byte[] bytes, int from) {
    long bits = 0;
    for (int i = from; i < from + 5; i++) {
      bits = (bits << 8) | (bytes[i] & 0xff);
    }
    return bits;
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
    return toString() + '-' + number;
  }

  /** The writer whose 16 characters these are; null if they are not. */
  static @Nullable WriterId named(String name) {
    return in(name + "-1");
  }

  /** The writer in an id; null if the id is not native. */
  public static @Nullable WriterId in(String id) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return in(bytes, 0, bytes.length);
  }

  /** The writer in an id that is {@code bytes[from..to)}; null if the id is not native. */
  static @Nullable WriterId in(byte[] bytes, int from, int to) {
    int digits = from + LENGTH + 1;
    if (to <= digits || to - digits > MAX_DIGITS) {
      return null;
    }
    if (bytes[digits - 1] != '-' || bytes[digits] == '0') {
      return null;
    }
    for (int i = digits; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return null;
      }
    }
    long high = half(bytes, from);
    long low = half(bytes, from + HALF);
    return high < 0 || low < 0 ? null : new WriterId(high, low);
  }

  private static long half(byte[] bytes, int from) {
    long bits = 0;
    for (int i = from; i < from + HALF; i++) {
      byte c = bytes[i];
      if (c >= 'a' && c <= 'z') {
        bits = (bits << 5) | (c - 'a');
      } else if (c >= '2' && c <= '7') {
        bits = (bits << 5) | (c - '2' + 26);
      } else {
        return -1;
      }
    }
    return bits;
  }

  /** The 16 characters. */
  @Override
  public String toString() {
    char[] text = new char[LENGTH];
    for (int i = 0; i < HALF; i++) {
      int shift = 5 * (HALF - 1 - i);
      text[i] = ALPHABET.charAt((int) (high >> shift) & 31);
      text[HALF + i] = ALPHABET.charAt((int) (low >> shift) & 31);
    }
    return new String(text);
  }
}
