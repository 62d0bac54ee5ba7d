package dev.parley.core.codec;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import dev.parley.core.writer.WriterId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes lines tolerantly, but never accepts a line with two possible meanings.
 *
 * <p>A line is an envelope if it is one JSON object, begins with <code>{</code> at its first byte
 * and ends with <code>}</code>, has a type, and no key twice. White space between tokens, any order
 * of keys, missing and unknown keys are fine. A known key with a value of the wrong kind is an
 * error; null counts as absent. The content of the payload is not checked.
 *
 * <p>A line is damaged if it ends with a {@link Checksum} that does not match, and so is a native
 * line with a malformed checksum. Whether a native line must have one depends on earlier lines, so
 * the log's reader decides that.
 *
 * <p>Not safe for use by several threads.
 */
public final class EnvelopeDecoder {
  private final Limits limits;
  private final JsonScanner scanner;
  private final Checksum checksum = new Checksum();

  /** The fields of the present line, one bit each; their places are as in {@link Line}. */
  private int seen;

  private final int[] spans = new int[2 * Field.COUNT];

  /** The places in the previous line. Lines with equal places share the array. */
  private int[] latestSpans = {};

  /** Whether the present line ends with a checksum. */
  private boolean summed;

  /** The unknown keys of the present line. */
  private Map<String, Json> extra = Map.of();

  /** The writer of the previous line. */
  private @Nullable WriterId latest;

  /** The prefix of the previous line; null unless the same writer wrote the line before it, too. */
  private @Nullable LinePrefixMatcher prefix;

  public EnvelopeDecoder(Limits limits) {
    this.limits = limits;
    this.scanner = JsonScanner.ofLines(limits.depth());
  }

  /**
   * Decodes {@code bytes[from..to)}, a line without its newline.
   *
   * @throws JsonException with the reason, if the line is not an envelope
   */
  public Envelope decode(Topic topic, byte[] bytes, int from, int to, Position position) {
    if (to - from > limits.line()) {
      throw new JsonException("line of " + (to - from) + " bytes is longer than the limit", from);
    }
    if (to - from < 2 || bytes[from] != '{') {
      throw new JsonException("does not begin with {", from);
    }
    if (bytes[to - 1] != '}') {
      throw new JsonException("does not end with }", to - 1);
    }
    LinePrefixMatcher usual = prefix != null && prefix.fits(bytes, from, to) ? prefix : null;
    if (usual != null) {
      scanAfter(usual, bytes, from, to);
    } else {
      scan(bytes, from, to);
    }
    if (!scanner.atEnd()) {
      throw new JsonException("goes on after its closing }", scanner.at());
    }
    Line line = line(topic, usual, bytes, from, to);
    if (usual == null) {
      line = withWriter(line);
    }
    return new Envelope(position.value(), line);
  }

  /**
   * Decodes the line at {@code bytes[from]} if it has the prefix of the previous line and ends,
   * with its newline, before {@code to}. This avoids a search for the newline.
   *
   * @param start the position of the line's start in the topic
   * @return null if the prefix differs or the line is no envelope; then call {@link #decode}
   */
  public @Nullable Envelope decodeNext(Topic topic, byte[] bytes, int from, int to, long start) {
    LinePrefixMatcher usual = prefix;
    if (usual == null || !usual.fits(bytes, from, to)) {
      return null;
    }
    try {
      scanAfter(usual, bytes, from, to);
      int end = scanner.at();
      if (end - from > limits.line() || !scanner.accept('\n')) {
        return null;
      }
      return new Envelope(start + scanner.at() - from, line(topic, usual, bytes, from, end));
    } catch (JsonException e) {
      return null;
    }
  }

  private Line line(
      Topic topic, @Nullable LinePrefixMatcher usual, byte[] bytes, int from, int to) {
    if (spans[2 * Field.TYPE.index() + 1] == 0) {
      throw new JsonException("has no type", from);
    }
    int count = 2 * Integer.SIZE - 2 * Integer.numberOfLeadingZeros(seen);
    if (!Arrays.equals(spans, 0, count, latestSpans, 0, latestSpans.length)) {
      latestSpans = Arrays.copyOf(spans, count);
    }
    WriterId writer = usual == null ? null : usual.writer();
    byte[] copy = Arrays.copyOfRange(bytes, from, to);
    return checked(new Line(topic, writer, copy, latestSpans, extra, summed));
  }

  /** Refuses a native line whose checksum is malformed. */
  private Line checked(Line line) {
    boolean hadSum =
        !line.isSummed()
            && line.writer() != null
            && (line.extra().containsKey(Checksum.KEY)
                || checksum.fitsUnderAnotherKey(line.bytes(), 0, line.bytes().length));
    if (hadSum) {
      throw new JsonException("was changed: its checksum is malformed", 0);
    }
    return line;
  }

  /** Scans a line after a known prefix. */
  private void scanAfter(LinePrefixMatcher beginning, byte[] bytes, int from, int to) {
    extra = Map.of();
    summed = false;
    seen = LinePrefixMatcher.FIELDS;
    beginning.copySpans(spans);
    if (beginning.isSameType(bytes, from, to)) {
      seen |= 1 << Field.TYPE.index();
      spans[2 * Field.TYPE.index()] = beginning.length();
      spans[2 * Field.TYPE.index() + 1] = beginning.payloadFrom() - Field.PAYLOAD.prefix.length;
      scanner.reset(bytes, from + beginning.payloadFrom(), to);
      fields(Field.PAYLOAD, bytes, from);
    } else {
      scanner.reset(bytes, from + beginning.length(), to);
      fields(Field.TYPE, bytes, from);
    }
    rest(bytes, from, to);
  }

  private void scan(byte[] bytes, int from, int to) {
    extra = Map.of();
    summed = false;
    seen = 0;
    Arrays.fill(spans, 0);
    scanner.reset(bytes, from + 1, to);
    scanner.whitespace();
    if (!scanner.accept('}')) {
      member(bytes, from);
      rest(bytes, from, to);
    }
  }

  /** Scans the members that follow a member. */
  private void rest(byte[] bytes, int lineFrom, int to) {
    while (!isSum(bytes, lineFrom, to)) {
      scanner.whitespace();
      if (!scanner.accept(',')) {
        scanner.expect('}');
        return;
      }
      scanner.whitespace();
      member(bytes, lineFrom);
    }
    summed = true;
    scanner.reset(bytes, scanner.at() + Checksum.LENGTH, to);
  }

  private boolean isSum(byte[] bytes, int lineFrom, int to) {
    int at = scanner.at();
    if (!Checksum.mayBeAt(bytes, at, to)) {
      return false;
    }
    boolean fits = checksum.fits(bytes, lineFrom, at);
    if (!fits && Checksum.hasDigits(bytes, at)) {
      throw new JsonException("was changed: its checksum does not match", at);
    }
    return fits;
  }

  /** Scans a key and its value, and further fields that follow in the usual order. */
  private void member(byte[] bytes, int lineFrom) {
    int keyFrom = scanner.at();
    scanner.string();
    int keyTo = scanner.at();
    Field field =
        scanner.wasPlain()
            ? Field.named(bytes, keyFrom + 1, keyTo - 1)
            : Field.named(JsonScanner.text(bytes, keyFrom, keyTo));
    scanner.whitespace();
    scanner.expect(':');
    if (field != null) {
      fields(field, bytes, lineFrom);
      return;
    }
    int valueFrom = value();
    if (extra.isEmpty()) {
      extra = new LinkedHashMap<>();
    }
    Json value = Json.scanned(bytes, valueFrom, scanner.at());
    if (extra.put(JsonScanner.text(bytes, keyFrom, keyTo), value) != null) {
      throw new JsonException("has a key twice", keyFrom);
    }
  }

  /**
   * Scans the value of a field, and further fields that follow in the order in which we write them.
   * Most do, so their keys need no lookup.
   */
  private void fields(Field first, byte[] bytes, int lineFrom) {
    Field field = first;
    while (field != null) {
      int valueFrom = value();
      note(field, bytes, valueFrom, lineFrom);
      Field next = field.next();
      field = next != null && scanner.accept(next.token) ? next : null;
    }
  }

  /** Skips a value and returns its start. */
  private int value() {
    scanner.whitespace();
    int from = scanner.at();
    scanner.value(1);
    return from;
  }

  /** Records the place of a field's value that was just skipped. */
  private void note(Field field, byte[] bytes, int valueFrom, int lineFrom) {
    int bit = 1 << field.index();
    if ((seen & bit) != 0) {
      throw new JsonException("has " + field.name + " twice", valueFrom);
    }
    seen |= bit;
    if (checkKind(field, bytes, valueFrom, scanner.at())) {
      spans[2 * field.index()] = valueFrom - lineFrom;
      spans[2 * field.index() + 1] = scanner.at() - lineFrom;
    }
  }

  /**
   * Finds the writer of a line. After two lines of one writer in a row, its prefix is kept, because
   * more such lines are likely.
   */
  private Line withWriter(Line line) {
    WriterId writer = line.findWriter(latest);
    if (writer == null) {
      return line;
    }
    prefix = writer.equals(latest) ? LinePrefixMatcher.of(writer, line, spans) : null;
    latest = writer;
    return checked(line.by(writer));
  }

  /** Whether a field has a value; refuses a value of the wrong kind. */
  private static boolean checkKind(Field field, byte[] bytes, int from, int to) {
    byte first = bytes[from];
    if (first == 'n') {
      return false;
    }
    boolean fits =
        switch (field.kind) {
          case TEXT -> first == '"';
          case NUMBER -> isCount(bytes, from, to);
          case FLAG -> first == 't' || first == 'f';
          case NAMES -> first == '"' || first == '[';
          case ANY -> true;
        };
    if (!fits) {
      throw new JsonException("has a " + field.name + " of the wrong kind", from);
    }
    return true;
  }

  private static boolean isCount(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return to - from <= 18;
  }
}
