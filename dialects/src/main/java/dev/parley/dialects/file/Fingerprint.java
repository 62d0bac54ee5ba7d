package dev.parley.dialects.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/** Names: of a text, the same for the same text and for no other; or ones never used before. */
public final class Fingerprint {
  private Fingerprint() {}

  /** So many hexadecimal digits, at most 64. */
  public static String hex(String text, int digits) {
    return HexFormat.of().formatHex(hash(text)).substring(0, digits);
  }

  public static UUID uuid(String text) {
    return UUID.nameUUIDFromBytes(hash(text));
  }

  /** A name that nothing has had before. */
  public static String unique() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
