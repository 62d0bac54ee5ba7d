package dev.parley.dialects.file;

import dev.parley.core.store.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Names: of a text, the same for the same text and for no other; or ones never used before. */
public final class Fingerprint {
  private Fingerprint() {}

  /** So many hexadecimal digits, at most 64. */
  public static String hex(String text, int digits) {
    return Sha256.hex(text).substring(0, digits);
  }

  public static UUID uuid(String text) {
    return UUID.nameUUIDFromBytes(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** A name that nothing has had before. */
  public static String unique() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
