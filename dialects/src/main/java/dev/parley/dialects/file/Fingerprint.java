package dev.parley.dialects.file;

import dev.parley.core.store.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Makes names: a hash of a text, or a name never used before. */
public final class Fingerprint {
  private Fingerprint() {}

  /** The first digits of the text's hash: hexadecimal, at most 64. */
  public static String hex(String text, int digits) {
    return Sha256.hex(text).substring(0, digits);
  }

  public static UUID uuid(String text) {
    return UUID.nameUUIDFromBytes(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  public static String unique() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
