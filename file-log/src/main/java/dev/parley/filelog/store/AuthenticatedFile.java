package dev.parley.filelog.store;

import dev.parley.core.writer.SipHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * JSON with a keyed digest, which only a program with the bus's secret can compute. It detects
 * content that another program wrote or changed, or that was stored under another name.
 *
 * <pre>
 * {"digest":"93f5f5799a932462","content":…}
 * </pre>
 *
 * The digest is SipHash-2-4 of the name, a zero byte and the bytes of the content.
 */
public final class AuthenticatedFile {
  private static final byte[] BEFORE = "{\"digest\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BETWEEN = "\",\"content\":".getBytes(StandardCharsets.US_ASCII);
  private static final int DIGITS = 16;
  private static final int CONTENT = BEFORE.length + DIGITS + BETWEEN.length;

  private final byte[] key;

  public AuthenticatedFile(byte[] key) {
    this.key = key.clone();
  }

  /** The bytes of a file with this content. */
  public byte[] seal(String name, byte[] content) {
    byte[] file = new byte[CONTENT + content.length + 1];
    System.arraycopy(BEFORE, 0, file, 0, BEFORE.length);
    System.arraycopy(digest(name, content), 0, file, BEFORE.length, DIGITS);
    System.arraycopy(BETWEEN, 0, file, BEFORE.length + DIGITS, BETWEEN.length);
    System.arraycopy(content, 0, file, CONTENT, content.length);
    file[file.length - 1] = '}';
    return file;
  }

  /** The content of a file; null if its digest does not match the name and the content. */
  byte @Nullable [] open(String name, byte[] file) {
    if (file.length <= CONTENT) {
      return null;
    }
    byte[] content = Arrays.copyOfRange(file, CONTENT, file.length - 1);
    return Arrays.equals(seal(name, content), file) ? content : null;
  }

  private byte[] digest(String name, byte[] content) {
    byte[] prefix = (name + '\0').getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(prefix, prefix.length + content.length);
    System.arraycopy(content, 0, all, prefix.length, content.length);
    long digest = SipHash.of(key, all, 0, all.length);
    byte[] digits = new byte[DIGITS];
    for (int i = DIGITS - 1; i >= 0; i--) {
      digits[i] = (byte) Character.forDigit((int) (digest & 0xf), 16);
      digest >>>= 4;
    }
    return digits;
  }

  /** Whether a file has a digest, right or wrong. */
  static boolean isSealed(byte[] file) {
    return file.length > CONTENT && Arrays.equals(file, 0, BEFORE.length, BEFORE, 0, BEFORE.length);
  }
}
