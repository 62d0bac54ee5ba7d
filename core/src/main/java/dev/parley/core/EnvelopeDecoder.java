package dev.parley.core;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads lines: tolerantly, but never two meanings into one line.
 *
 * <p>A line is an envelope if it is one JSON object, begins with <code>{</code> at its first byte
 * and ends with <code>}</code>, has a type, and no key twice. White space between tokens, any order
 * of keys, missing and unknown keys are fine. A known key with a value of the wrong kind is not;
 * null counts as absent. Keys inside the payload are the reader's business.
 *
 * <p>Not safe for use by several threads.
 */
public final class EnvelopeDecoder {
  private final Limits limits;
  private final JsonScanner scanner;

  public EnvelopeDecoder(Limits limits) {
    this.limits = limits;
    this.scanner = new JsonScanner(limits.depth());
  }

  /**
   * Decodes {@code bytes[from..to)}, a line without its newline.
   *
   * @throws JsonException if it is not an envelope, with the reason
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
    int[] spans = new int[2 * Field.COUNT];
    Map<String, Json> extra = scan(bytes, from, to, spans);
    Line line = new Line(Arrays.copyOfRange(bytes, from, to), spans, extra);
    if (!line.has(Field.TYPE)) {
      throw new JsonException("has no type", from);
    }
    return new Envelope(topic, position, line);
  }

  private Map<String, Json> scan(byte[] bytes, int from, int to, int[] spans) {
    Map<String, Json> extra = Map.of();
    scanner.reset(bytes, from + 1, to);
    scanner.whitespace();
    int seen = 0;
    int guess = 0;
    boolean more = !scanner.accept('}');
    while (more) {
      int keyFrom = scanner.at();
      scanner.string();
      int keyTo = scanner.at();
      Field field =
          scanner.wasPlain()
              ? Field.named(bytes, keyFrom + 1, keyTo - 1, guess)
              : Field.named(JsonScanner.text(bytes, keyFrom, keyTo));
      scanner.whitespace();
      scanner.expect(':');
      scanner.whitespace();
      int valueFrom = scanner.at();
      scanner.value(1);
      int valueTo = scanner.at();
      if (field != null) {
        int bit = 1 << field.index();
        if ((seen & bit) != 0) {
          throw new JsonException("has " + field.name + " twice", keyFrom);
        }
        seen |= bit;
        guess = field.index() + 1;
        if (checkKind(field, bytes, valueFrom, valueTo)) {
          spans[2 * field.index()] = valueFrom - from;
          spans[2 * field.index() + 1] = valueTo - from;
        }
      } else {
        if (extra.isEmpty()) {
          extra = new LinkedHashMap<>();
        }
        Json value = Json.scanned(bytes, valueFrom, valueTo);
        if (extra.put(JsonScanner.text(bytes, keyFrom, keyTo), value) != null) {
          throw new JsonException("has a key twice", keyFrom);
        }
      }
      scanner.whitespace();
      more = scanner.accept(',');
      if (more) {
        scanner.whitespace();
      } else {
        scanner.expect('}');
      }
    }
    if (!scanner.atEnd()) {
      throw new JsonException("goes on after its closing }", scanner.at());
    }
    return extra;
  }

  /** Whether there is a value; a value of the wrong kind is refused. */
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
