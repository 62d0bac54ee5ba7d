package dev.parley.core.codec;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Forged lines with correct checksums. */
public final class Resummed {
  private Resummed() {}

  /** The line with a correct checksum, added or replaced. */
  public static String line(String line) {
    String body = line.replaceFirst("(,\"sum\":\"[0-9a-f]{8}\")?}$", "");
    CRC32C crc = new CRC32C();
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    return "%s,\"sum\":\"%08x\"}".formatted(body, crc.getValue());
  }
}
