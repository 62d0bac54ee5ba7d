package dev.parley.filelog.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.core.Message;
import dev.parley.core.Stored;
import dev.parley.core.json.Json;
import java.util.zip.CRC32C;

/**
 * A message with the acknowledgement that its writer got, or a message as a reader found it. If
 * both are equal, nothing was lost.
 */
public record Ack(long position, String id, long seq, String sender, String key, long hash) {
  public static Ack of(Message message, Stored stored) {
    return of(message, stored, hash(message.payload()));
  }

  static Ack of(Message message, Stored stored, long hash) {
    return new Ack(
        stored.position().value(),
        stored.id(),
        stored.seq(),
        message.sender(),
        String.valueOf(message.key()),
        hash);
  }

  static Ack parse(String line) {
    String[] part = line.split(" ", -1);
    return new Ack(
        Long.parseLong(part[1]),
        part[2],
        Long.parseLong(part[3]),
        part[4],
        part[5],
        Long.parseLong(part[6]));
  }

  static long hash(Json payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload.toString().getBytes(UTF_8));
    return crc.getValue();
  }

  @Override
  public String toString() {
    return "ack " + position + " " + id + " " + seq + " " + sender + " " + key + " " + hash;
  }
}
