package dev.parley.core.json;

import java.nio.charset.StandardCharsets;

/**
 * Walks over JSON in a byte array, checks it, and says where things begin and end.
 *
 * <p>It accepts exactly what RFC 8259 calls JSON, in valid UTF-8 and nested no deeper than it was
 * told. It builds nothing: callers remember offsets. One scanner can be used again and again, by
 * one thread at a time.
 */
public final class JsonScanner {
  private final int maxDepth;
  private final boolean acrossLines;
  private byte[] bytes = new byte[0];
  private int at;
  private int end;
  private boolean plain;

  public JsonScanner(int maxDepth) {
    this(maxDepth, true);
  }

  private JsonScanner(int maxDepth, boolean acrossLines) {
    this.maxDepth = maxDepth;
    this.acrossLines = acrossLines;
  }

  /** One that goes over no newline: a string can't hold one, and here white space can't either. */
  public static JsonScanner ofLines(int maxDepth) {
    return new JsonScanner(maxDepth, false);
  }

  /** Starts over on {@code bytes[from..to)}. */
  public JsonScanner reset(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
    return this;
  }

  public int at() {
    return at;
  }

  public boolean atEnd() {
    return at >= end;
  }

  /**
   * Whether the last string scanned was printable ASCII without escapes, so that its bytes are its
   * text.
   */
  public boolean wasPlain() {
    return plain;
  }

  /** The next byte, or -1 at the end. */
  public int peek() {
    return at < end ? bytes[at] : -1;
  }

  /** Steps over {@code expected} if it is next. */
  public boolean accept(char expected) {
    if (isAt(at, expected)) {
      at++;
      return true;
    }
    return false;
  }

  /**
   * Steps over {@code expected} if it is next. Tells only where there is enough to look at: near
   * the end of the array it says no.
   */
  public boolean accept(Token expected) {
    if (bytes.length - at >= Token.MAX && end - at >= expected.length && expected.isAt(bytes, at)) {
      at += expected.length;
      return true;
    }
    return false;
  }

  public void expect(char expected) {
    at = after(at, expected);
  }

  public void whitespace() {
    at = afterSpace(at);
  }

  /** Steps over one value of any kind that lies {@code depth} containers deep. */
  public void value(int depth) {
    at = afterValue(at, depth);
  }

  /** Steps over a string, quotes included. */
  public void string() {
    at = afterString(at);
  }

  // From here on a place is handed from method to method, and never stored: that keeps it in a
  // register, and what comes next need not wait for what was written to memory.

  private boolean isAt(int i, char expected) {
    return i < end && bytes[i] == expected;
  }

  private int after(int i, char expected) {
    if (!isAt(i, expected)) {
      throw new JsonException("expected '" + expected + "'", i);
    }
    return i + 1;
  }

  private int afterSpace(int from) {
    int i = from;
    while (i < end) {
      byte b = bytes[i];
      if (b > ' ' || (b != ' ' && b != '\t' && b != '\r' && (b != '\n' || !acrossLines))) {
        break;
      }
      i++;
    }
    return i;
  }

  private int afterValue(int from, int depth) {
    if (from >= end) {
      throw new JsonException("ends too early", from);
    }
    return switch (bytes[from]) {
      case '"' -> afterString(from);
      case '{' -> afterObject(from, depth + 1);
      case '[' -> afterArray(from, depth + 1);
      case 't' -> afterWord(from, "true");
      case 'f' -> afterWord(from, "false");
      case 'n' -> afterWord(from, "null");
      default -> afterNumber(from);
    };
  }

  private int afterString(int from) {
    int i = plainEnd(after(from, '"'));
    plain = isAt(i, '"');
    return plain ? i + 1 : afterSpecial(i);
  }

  /** Goes on with a string at a character that is not plain. */
  private int afterSpecial(int from) {
    int i = from;
    while (i < end) {
      int b = bytes[i] & 0xff;
      if (b == '"') {
        return i + 1;
      }
      if (b == '\\') {
        i = afterEscape(i + 1);
      } else if (b < 0x20) {
        throw new JsonException("control character in a string", i);
      } else if (b == 0x7f) {
        i++;
      } else {
        i = afterUtf8(i, b);
      }
      i = plainEnd(i);
    }
    throw new JsonException("string without end", i);
  }

  /** The next byte of a string that needs a closer look, or the end. */
  private int plainEnd(int from) {
    int i = from;
    for (; i <= end - ByteWords.SIZE; i += ByteWords.SIZE) {
      long special = ByteWords.special(ByteWords.at(bytes, i));
      if (special != 0) {
        return i + ByteWords.first(special);
      }
    }
    while (i < end && isPlain(bytes[i])) {
      i++;
    }
    return i;
  }

  /** Printable ASCII but quote and backslash. */
  private static boolean isPlain(byte b) {
    return b >= 0x20 && b < 0x7f && b != '"' && b != '\\';
  }

  private int afterEscape(int from) {
    int kind = from < end ? bytes[from] : -1;
    return switch (kind) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> from + 1;
      case 'u' -> {
        for (int i = from + 1; i <= from + 4; i++) {
          if (i >= end || Character.digit((char) bytes[i], 16) < 0) {
            throw new JsonException("bad \\u escape", i);
          }
        }
        yield from + 5;
      }
      default -> throw new JsonException("bad escape", from);
    };
  }

  /** Steps over one multi-byte character; refuses overlong forms, surrogates and stray bytes. */
  private int afterUtf8(int from, int lead) {
    int low = 0x80;
    int high = 0xbf;
    int more;
    if (lead >= 0xc2 && lead <= 0xdf) {
      more = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      more = 2;
      low = lead == 0xe0 ? 0xa0 : low;
      high = lead == 0xed ? 0x9f : high;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      more = 3;
      low = lead == 0xf0 ? 0x90 : low;
      high = lead == 0xf4 ? 0x8f : high;
    } else {
      throw new JsonException("invalid UTF-8", from);
    }
    for (int i = from + 1; i <= from + more; i++) {
      int b = i < end ? bytes[i] & 0xff : -1;
      if (b < low || b > high) {
        throw new JsonException("invalid UTF-8", i);
      }
      low = 0x80;
      high = 0xbf;
    }
    return from + more + 1;
  }

  private int afterObject(int from, int depth) {
    int i = inside(from, depth);
    if (isAt(i, '}')) {
      return i + 1;
    }
    while (true) {
      i = afterSpace(afterString(i));
      i = afterSpace(after(i, ':'));
      i = afterSpace(afterValue(i, depth));
      if (!isAt(i, ',')) {
        return after(i, '}');
      }
      i = afterSpace(i + 1);
    }
  }

  private int afterArray(int from, int depth) {
    int i = inside(from, depth);
    if (isAt(i, ']')) {
      return i + 1;
    }
    while (true) {
      i = afterSpace(afterValue(i, depth));
      if (!isAt(i, ',')) {
        return after(i, ']');
      }
      i = afterSpace(i + 1);
    }
  }

  private int inside(int from, int depth) {
    if (depth > maxDepth) {
      throw new JsonException("nested deeper than " + maxDepth, from);
    }
    return afterSpace(from + 1);
  }

  private int afterWord(int from, String word) {
    for (int i = 0; i < word.length(); i++) {
      int _ = after(from + i, word.charAt(i));
    }
    return from + word.length();
  }

  private int afterNumber(int from) {
    int first = isAt(from, '-') ? from + 1 : from;
    int i = isAt(first, '0') ? first + 1 : afterDigits(first);
    if (i == first) {
      throw new JsonException(first > from ? "bad number" : "expected a value", i);
    }
    if (isAt(i, '.')) {
      i = afterSomeDigits(i + 1);
    }
    if (isAt(i, 'e') || isAt(i, 'E')) {
      i++;
      i = afterSomeDigits(isAt(i, '+') || isAt(i, '-') ? i + 1 : i);
    }
    return i;
  }

  private int afterSomeDigits(int from) {
    int i = afterDigits(from);
    if (i == from) {
      throw new JsonException("bad number", i);
    }
    return i;
  }

  private int afterDigits(int from) {
    int i = from;
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
      i++;
    }
    return i;
  }

  JsonException error(String reason) {
    return new JsonException(reason, at);
  }

  /** The text of a string scanned before, given where its opening and closing quotes are. */
  public static String text(byte[] bytes, int from, int to) {
    int first = from + 1;
    int last = to - 1;
    int i = first;
    while (i < last && bytes[i] != '\\') {
      i++;
    }
    if (i == last) {
      return new String(bytes, first, last - first, StandardCharsets.UTF_8);
    }
    StringBuilder text = new StringBuilder(last - first);
    int run = first;
    while (i < last) {
      if (bytes[i] != '\\') {
        i++;
        continue;
      }
      text.append(new String(bytes, run, i - run, StandardCharsets.UTF_8));
      byte kind = bytes[i + 1];
      i += 2;
      if (kind == 'u') {
        text.append((char) Integer.parseInt(ascii(bytes, i, i + 4), 16));
        i += 4;
      } else {
        text.append(
            switch (kind) {
              case 'b' -> '\b';
              case 'f' -> '\f';
              case 'n' -> '\n';
              case 'r' -> '\r';
              case 't' -> '\t';
              default -> (char) kind;
            });
      }
      run = i;
    }
    return text.append(new String(bytes, run, last - run, StandardCharsets.UTF_8)).toString();
  }

  static String ascii(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
  }
}
