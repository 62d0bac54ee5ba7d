package dev.parley.core.codec;

import dev.parley.core.json.DigitMask;
import dev.parley.core.writer.WriterId;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the prefix that the lines of one writer share. Up to the type, lines differ only in
 * the digits of number, seq and timestamp, so the offsets of the last line's fields hold for the
 * next.
 */
final class LinePrefixMatcher {
  /** The fields before the type, one bit each. */
  static final int FIELDS = (1 << Field.TYPE.index()) - 1;

  private final WriterId writer;
  private final DigitMask beginning;
  private final int[] spans;

  /**
   * The value of the type and the bytes up to the payload; empty if the payload does not follow the
   * type.
   */
  private final byte[] type;

  private LinePrefixMatcher(WriterId writer, DigitMask beginning, int[] spans, byte[] type) {
    this.writer = writer;
    this.beginning = beginning;
    this.spans = spans;
    this.type = type;
  }

  /**
   * Learns the prefix of a native line; null if it does not begin in the form that we write.
   *
   * @param spans the offsets of its fields, as in {@link Line}
   */
  static @Nullable LinePrefixMatcher of(WriterId writer, Line line, int[] spans) {
    if (!isUsual(line)) {
      return null;
    }
    // The first digit of a count is fixed, so no count begins with a zero.
    int number = line.from(Field.ID) + 1 + WriterId.LENGTH + 1;
    DigitMask beginning =
        DigitMask.of(line.bytes(), line.from(Field.TYPE))
            .freeDigits(number + 1, line.to(Field.ID))
            .freeDigits(line.from(Field.SEQ) + 1, line.to(Field.SEQ))
            .freeDigits(line.from(Field.TIMESTAMP), line.to(Field.TIMESTAMP));
    int[] before = Arrays.copyOf(spans, 2 * Field.TYPE.index());
    return new LinePrefixMatcher(
        writer, beginning, Arrays.copyOf(before, spans.length), type(line));
  }

  private static byte[] type(Line line) {
    boolean isUsual = line.from(Field.PAYLOAD) == line.to(Field.TYPE) + Field.PAYLOAD.prefix.length;
    int to = isUsual ? line.from(Field.PAYLOAD) : line.from(Field.TYPE);
    return Arrays.copyOfRange(line.bytes(), line.from(Field.TYPE), to);
  }

  /**
   * Whether the line begins with exactly the fields before the type, so that their offsets are
   * known.
   */
  private static boolean isUsual(Line line) {
    int end = 0;
    for (Field field = Field.ID; field.index() <= Field.TYPE.index(); field = next(field)) {
      if (line.from(field) != end + field.prefix.length) {
        return false;
      }
      end = line.to(field);
    }
    return true;
  }

  private static Field next(Field field) {
    return Objects.requireNonNull(field.next());
  }

  WriterId writer() {
    return writer;
  }

  /** The length of the prefix. The value of the type follows it. */
  int length() {
    return beginning.length();
  }

  /** Writes the offsets of the fields before the type; the other fields are absent. */
  void copySpans(int[] to) {
    System.arraycopy(spans, 0, to, 0, to.length);
  }

  /** Whether the prefix is followed by the same type and then the payload. */
  boolean isSameType(byte[] bytes, int from, int to) {
    int at = from + length();
    return type.length > 0
        && to - at > type.length
        && Arrays.equals(bytes, at, at + type.length, type, 0, type.length);
  }

  /** The offset of the payload in such a line. */
  int payloadFrom() {
    return length() + type.length;
  }

  /** Whether {@code bytes[from..to)} has this prefix. */
  boolean fits(byte[] bytes, int from, int to) {
    return beginning.isAt(bytes, from, to);
  }
}
