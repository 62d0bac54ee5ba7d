package dev.parley.core.keys;

import dev.parley.core.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The signature of one line: the last thing in it but the checksum.
 *
 * <pre>
 * {"id":…,"timestamp":…,"type":"note","payload":1,"signature":"4711.MEQCIB…","sum":"0f3c9a12"}
 * └──────────────── signed ──────────────────────┘             │    └ Ed25519, base64url
 *                                                              └ place: how far the writer had read
 *
 * signed with it: a version, the topic, the topic's incarnation (the id of its first line; empty at
 * place 0), the place
 * </pre>
 *
 * <p>So a line can't be changed, nor count in another topic, nor in another incarnation of this
 * one. It counts only within {@link #WINDOW} after its place: a copy inside the window has a seq
 * that readers have seen and pass over, because so few bytes can't hold enough writers to make them
 * forget it; a copy further on is too old.
 */
public final class LineSignature {
  /**
   * How far after its place a line may begin, in bytes. The smallest signed line has more than 200
   * bytes, so a window has fewer than the 1,024 writers that readers remember.
   */
  public static final long WINDOW = 128 * 1024;

  private static final String VERSION = "parley-line-1";
  private static final byte[] PREFIX = ",\"signature\":\"".getBytes(StandardCharsets.US_ASCII);

  /** How many bytes {@code ,"sum":"0f3c9a12"}} takes. */
  private static final int SUM = 18;

  /** More than a place and a signature take. */
  private static final int LONGEST = 128;

  /** The size of the topic when the line was signed. */
  private final long place;

  private final byte[] value;

  private LineSignature(long place, byte[] value) {
    this.place = place;
    this.value = value;
  }

  /** The text of the signature of a line whose bytes so far are {@code line[from..to)}. */
  public static String sign(
      KeyPair key, Topic topic, String incarnation, long place, byte[] line, int from, int to) {
    byte[] value = key.sign(content(topic, incarnation, place, line, from, to));
    return place + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(value);
  }

  /** The signature in a line; null if it has none where one belongs. */
  static @Nullable LineSignature of(byte[] line) {
    int start = start(line);
    if (start < 0) {
      return null;
    }
    int from = start + PREFIX.length;
    String text = new String(line, from, line.length - SUM - 1 - from, StandardCharsets.US_ASCII);
    int dot = text.indexOf('.');
    if (dot < 1 || dot > 18) {
      return null;
    }
    try {
      long place = Long.parseUnsignedLong(text, 0, dot, 10);
      byte[] value = Base64.getUrlDecoder().decode(text.substring(dot + 1));
      boolean isOurs =
          text.equals(place + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(value));
      return isOurs ? new LineSignature(place, value) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether a line that begins at {@code start} of the topic is near enough to its place. */
  boolean isNear(long start) {
    return place <= start && start - place <= WINDOW;
  }

  boolean fits(PublicKey key, Topic topic, String incarnation, byte[] line) {
    return key.verifies(content(topic, incarnation, place, line, 0, start(line)), value);
  }

  /**
   * Where {@code ,"signature":"} begins; negative if the line does not end as a signed one does.
   */
  private static int start(byte[] line) {
    int end = line.length - SUM;
    if (end < PREFIX.length || line[end - 1] != '"') {
      return -1;
    }
    for (int at = end - PREFIX.length - 1; at >= Math.max(0, end - LONGEST); at--) {
      if (line[at] == ','
          && Arrays.equals(line, at, at + PREFIX.length, PREFIX, 0, PREFIX.length)) {
        return at;
      }
    }
    return -1;
  }

  private static byte[] content(
      Topic topic, String incarnation, long place, byte[] line, int from, int to) {
    String said =
        VERSION
            + "\n"
            + topic.name()
            + "\n"
            + (place == 0 ? "" : incarnation)
            + "\n"
            + place
            + "\n";
    byte[] head = said.getBytes(StandardCharsets.UTF_8);
    byte[] content = Arrays.copyOf(head, head.length + to - from);
    System.arraycopy(line, from, content, head.length, to - from);
    return content;
  }

  @Override
  public String toString() {
    return "signature at " + place;
  }
}
