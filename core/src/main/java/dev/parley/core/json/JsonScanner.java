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
  private byte[] bytes = new byte[0];
  private int at;
  private int end;
  private boolean plain;

  public JsonScanner(int maxDepth) {
    this.maxDepth = maxDepth;
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
    if (at < end && bytes[at] == expected) {
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
    if (!accept(expected)) {
      throw error("expected '" + expected + "'");
    }
  }

  public void whitespace() {
    while (at < end) {
      byte b = bytes[at];
      if (b > ' ' || (b != ' ' && b != '\t' && b != '\n' && b != '\r')) {
        return;
      }
      at++;
    }
  }

  /** Steps over one value of any kind that lies {@code depth} containers deep. */
  public void value(int depth) {
    switch (peek()) {
      case '"' -> string();
      case '{' -> object(depth + 1);
      case '[' -> array(depth + 1);
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      case -1 -> throw error("ends too early");
      default -> number();
    }
  }

  /** Steps over a string, quotes included. */
  public void string() {
    expect('"');
    plain = true;
    while (true) {
      at = plainEnd();
      if (at >= end) {
        throw error("string without end");
      }
      int b = bytes[at] & 0xff;
      if (b == '"') {
        at++;
        return;
      }
      plain = false;
      if (b == '\\') {
        escape();
      } else if (b < 0x20) {
        throw error("control character in a string");
      } else if (b == 0x7f) {
        at++;
      } else {
        utf8(b);
      }
    }
  }

  /** The next byte of a string that needs a closer look, or the end. */
  private int plainEnd() {
    int i = at;
    for (; i <= end - Words.SIZE; i += Words.SIZE) {
      long special = Words.special(Words.at(bytes, i));
      if (special != 0) {
        return i + Words.first(special);
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

  private void escape() {
    at++;
    int b = peek();
    switch (b) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at++;
      case 'u' -> {
        at++;
        for (int i = 0; i < 4; i++, at++) {
          if (at >= end || Character.digit((char) bytes[at], 16) < 0) {
            throw error("bad \\u escape");
          }
        }
      }
      default -> throw error("bad escape");
    }
  }

  /** Steps over one multi-byte character; refuses overlong forms, surrogates and stray bytes. */
  private void utf8(int lead) {
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
      throw error("invalid UTF-8");
    }
    at++;
    for (; more > 0; more--, at++) {
      int b = at < end ? bytes[at] & 0xff : -1;
      if (b < low || b > high) {
        throw error("invalid UTF-8");
      }
      low = 0x80;
      high = 0xbf;
    }
  }

  private void object(int depth) {
    enter(depth);
    if (!accept('}')) {
      do {
        whitespace();
        string();
        whitespace();
        expect(':');
        whitespace();
        value(depth);
        whitespace();
      } while (accept(','));
      expect('}');
    }
  }

  private void array(int depth) {
    enter(depth);
    if (!accept(']')) {
      do {
        whitespace();
        value(depth);
        whitespace();
      } while (accept(','));
      expect(']');
    }
  }

  private void enter(int depth) {
    if (depth > maxDepth) {
      throw error("nested deeper than " + maxDepth);
    }
    at++;
    whitespace();
  }

  private void word(String word) {
    for (int i = 0; i < word.length(); i++) {
      expect(word.charAt(i));
    }
  }

  private void number() {
    boolean negative = accept('-');
    if (!accept('0') && digits() == 0) {
      throw error(negative ? "bad number" : "expected a value");
    }
    if (accept('.') && digits() == 0) {
      throw error("bad number");
    }
    if (accept('e') || accept('E')) {
      if (!accept('+')) {
        accept('-');
      }
      if (digits() == 0) {
        throw error("bad number");
      }
    }
  }

  private int digits() {
    int from = at;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at - from;
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
