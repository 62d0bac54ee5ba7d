package dev.parley.core.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 digests. Loading the JDK's provider costs a short command 10 to 30 ms, so code on the
 * path of every command uses {@link dev.parley.core.writer.SipHash} where a keyed digest will do.
 */
public final class Sha256 {
  private Sha256() {}

  /**
   * The digest of some bytes.
   *
   * @param content the bytes
   * @return 32 bytes
   */
  public static byte[] of(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The digest of a text in UTF-8.
   *
   * @param text the text
   * @return 64 hexadecimal digits
   */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text.getBytes(StandardCharsets.UTF_8)));
  }
}
