package dev.parley.core.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON value, kept as its bytes.
 *
 * <p>Invariant: the bytes are valid JSON in UTF-8 without a line break or a raw control character.
 * What is made from text with {@link #parse} has no white space between its tokens and no key twice
 * in one object. Two values are equal when their bytes are.
 */
public final class Json {
  /** The deepest nesting {@link #parse(String)} takes, one less than an envelope may have. */
  public static final int DEFAULT_DEPTH = 63;

  public static final Json NULL = new Json("null".getBytes(StandardCharsets.US_ASCII));
  public static final Json EMPTY_OBJECT = new Json("{}".getBytes(StandardCharsets.US_ASCII));

  private final byte[] bytes;

  /** The fields of an object, if they were looked for already. */
  private final @Nullable Map<String, Json> fields;

  private Json(byte[] bytes) {
    this(bytes, null);
  }

  private Json(byte[] bytes, @Nullable Map<String, Json> fields) {
    this.bytes = bytes;
    this.fields = fields;
  }

  /**
   * Reads a value written by somebody else, strictly.
   *
   * @throws JsonException if it is not exactly one JSON value, has a key twice or is too deep
   */
  public static Json parse(String text) {
    return parse(text.getBytes(StandardCharsets.UTF_8), DEFAULT_DEPTH);
  }

  public static Json parse(byte[] utf8, int maxDepth) {
    return new Json(new Normalizer(utf8, maxDepth).run());
  }

  /** A value whose bytes a {@link JsonScanner} has already walked over. */
  public static Json scanned(byte[] bytes, int from, int to) {
    return new Json(Arrays.copyOfRange(bytes, from, to));
  }

  /**
   * A value without white space around it whose fields will be asked for, and theirs, so many
   * levels deep: they are found in one walk, where each question would walk over all that is
   * deeper.
   */
  public static Json opened(byte[] bytes, int levels) {
    return element(bytes, new JsonScanner(Integer.MAX_VALUE).reset(bytes, 0, bytes.length), levels);
  }

  public static Json of(String text) {
    return new Json(new JsonBytes(text.length() + 16).string(text).toArray());
  }

  public static Json of(long number) {
    return new Json(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
  }

  public static Json of(boolean value) {
    return new Json(Boolean.toString(value).getBytes(StandardCharsets.US_ASCII));
  }

  public static Json of(List<Json> items) {
    JsonBytes out = new JsonBytes(64).raw('[');
    String comma = "";
    for (Json item : items) {
      out.ascii(comma).raw(item.bytes);
      comma = ",";
    }
    return new Json(out.raw(']').toArray());
  }

  public static Json ofStrings(List<String> items) {
    JsonBytes out = new JsonBytes(64).raw('[');
    String comma = "";
    for (String item : items) {
      out.ascii(comma).string(item);
      comma = ",";
    }
    return new Json(out.raw(']').toArray());
  }

  /** Starts an object; keys keep the order they are put in. */
  public static ObjectBuilder object() {
    return new ObjectBuilder();
  }

  public int length() {
    return bytes.length;
  }

  /** Whether this is nested deeper than {@code limit} containers. */
  public boolean isDeeperThan(int limit) {
    // Every level takes two brackets, so most values are settled by their length or a quick count.
    if (bytes.length / 2 <= limit || ByteWords.openingBrackets(bytes) <= limit) {
      return false;
    }
    int depth = 0;
    boolean inString = false;
    for (int i = 0; i < bytes.length; i++) {
      byte b = bytes[i];
      if (inString) {
        if (b == '\\') {
          i++;
        } else if (b == '"') {
          inString = false;
        }
      } else if (b == '"') {
        inString = true;
      } else if (b == '{' || b == '[') {
        if (++depth > limit) {
          return true;
        }
      } else if (b == '}' || b == ']') {
        depth--;
      }
    }
    return false;
  }

  public void writeTo(JsonBytes out) {
    out.raw(bytes);
  }

  public boolean isObject() {
    return bytes[0] == '{';
  }

  public boolean isArray() {
    return bytes[0] == '[';
  }

  public boolean isString() {
    return bytes[0] == '"';
  }

  /** The text of a string, or null if this is something else. */
  public @Nullable String text() {
    return isString() ? JsonScanner.text(bytes, 0, bytes.length) : null;
  }

  /** This as a whole number, or {@code otherwise} if it is none that fits. */
  public long number(long otherwise) {
    try {
      return Long.parseLong(JsonScanner.ascii(bytes, 0, bytes.length));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  public boolean isTrue() {
    return bytes[0] == 't';
  }

  /** The fields of an object in their order; empty if this is something else. */
  public Map<String, Json> fields() {
    if (!isObject()) {
      return Map.of();
    }
    return fields != null ? fields : fields(bytes, scanner(), 0);
  }

  private static Map<String, Json> fields(byte[] bytes, JsonScanner scanner, int levels) {
    Map<String, Json> fields = new LinkedHashMap<>();
    scanner.expect('{');
    scanner.whitespace();
    while (!scanner.accept('}')) {
      int key = scanner.at();
      scanner.string();
      String name =
          scanner.wasPlain()
              ? JsonScanner.ascii(bytes, key + 1, scanner.at() - 1)
              : JsonScanner.text(bytes, key, scanner.at());
      scanner.whitespace();
      scanner.expect(':');
      scanner.whitespace();
      fields.put(name, element(bytes, scanner, levels));
      separator(scanner);
    }
    return Collections.unmodifiableMap(fields);
  }

  /** The items of an array; empty if this is something else. */
  public List<Json> items() {
    if (!isArray()) {
      return List.of();
    }
    List<Json> items = new ArrayList<>();
    JsonScanner scanner = scanner();
    scanner.expect('[');
    scanner.whitespace();
    while (!scanner.accept(']')) {
      items.add(element(bytes, scanner, 0));
      separator(scanner);
    }
    return Collections.unmodifiableList(items);
  }

  private JsonScanner scanner() {
    return new JsonScanner(Integer.MAX_VALUE).reset(bytes, 0, bytes.length);
  }

  /** The value that begins where the scanner is. */
  private static Json element(byte[] bytes, JsonScanner scanner, int levels) {
    int from = scanner.at();
    Map<String, Json> fields = null;
    if (levels > 0 && scanner.peek() == '{') {
      fields = fields(bytes, scanner, levels - 1);
    } else {
      scanner.value(0);
    }
    return new Json(Arrays.copyOfRange(bytes, from, scanner.at()), fields);
  }

  private static void separator(JsonScanner scanner) {
    scanner.whitespace();
    if (scanner.accept(',')) {
      scanner.whitespace();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Json json && Arrays.equals(bytes, json.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The JSON text. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Puts an object together key by key. */
  public static final class ObjectBuilder {
    private final JsonBytes out = new JsonBytes(128).raw('{');

    private ObjectBuilder() {}

    public ObjectBuilder put(String key, Json value) {
      key(key).raw(value.bytes);
      return this;
    }

    public ObjectBuilder put(String key, @Nullable String value) {
      if (value == null) {
        return put(key, NULL);
      }
      key(key).string(value);
      return this;
    }

    public ObjectBuilder put(String key, long value) {
      key(key).number(value);
      return this;
    }

    private JsonBytes key(String key) {
      if (out.length() > 1) {
        out.raw(',');
      }
      return out.string(key).raw(':');
    }

    public ObjectBuilder put(String key, boolean value) {
      return put(key, of(value));
    }

    public Json build() {
      Json json = new Json(out.raw('}').toArray());
      out.truncate(out.length() - 1);
      return json;
    }
  }

  /** Copies a value token by token: without white space, with unsafe characters escaped. */
  private static final class Normalizer {
    private final byte[] in;
    private final int maxDepth;
    private final JsonScanner scanner;
    private final JsonBytes out;

    Normalizer(byte[] in, int maxDepth) {
      this.in = in;
      this.maxDepth = maxDepth;
      this.scanner = new JsonScanner(maxDepth).reset(in, 0, in.length);
      this.out = new JsonBytes(in.length + 16);
    }

    byte[] run() {
      scanner.whitespace();
      value(0);
      scanner.whitespace();
      if (!scanner.atEnd()) {
        throw scanner.error("more than one value");
      }
      return out.toArray();
    }

    private void value(int depth) {
      switch (scanner.peek()) {
        case '{' -> object(depth + 1);
        case '[' -> array(depth + 1);
        case '"' -> string();
        default -> {
          int from = scanner.at();
          scanner.value(depth);
          out.raw(in, from, scanner.at());
        }
      }
    }

    private void object(int depth) {
      enter('{', depth);
      Set<String> keys = new HashSet<>();
      while (!scanner.accept('}')) {
        separate(keys.isEmpty());
        int from = scanner.at();
        string();
        if (!keys.add(JsonScanner.text(in, from, scanner.at()))) {
          throw new JsonException("a key twice", from);
        }
        scanner.whitespace();
        scanner.expect(':');
        out.raw(':');
        scanner.whitespace();
        value(depth);
        scanner.whitespace();
      }
      out.raw('}');
    }

    private void array(int depth) {
      enter('[', depth);
      boolean first = true;
      while (!scanner.accept(']')) {
        separate(first);
        first = false;
        value(depth);
        scanner.whitespace();
      }
      out.raw(']');
    }

    private void enter(char open, int depth) {
      if (depth > maxDepth) {
        throw scanner.error("nested deeper than " + maxDepth);
      }
      scanner.expect(open);
      out.raw(open);
      scanner.whitespace();
    }

    private void separate(boolean first) {
      if (!first) {
        scanner.expect(',');
        out.raw(',');
        scanner.whitespace();
      }
    }

    private void string() {
      int from = scanner.at();
      scanner.string();
      if (scanner.wasPlain()) {
        out.raw(in, from, scanner.at());
        return;
      }
      int i = from;
      while (i < scanner.at()) {
        int width = unsafeWidth(i);
        if (width == 0) {
          out.raw(in[i++]);
        } else {
          out.escape(new String(in, i, width, StandardCharsets.UTF_8).charAt(0));
          i += width;
        }
      }
    }

    /** How many bytes the unsafe character at {@code i} takes, or 0 if there is none. */
    private int unsafeWidth(int i) {
      int b = in[i] & 0xff;
      if (b == 0x7f) {
        return 1;
      }
      if (b == 0xc2 && (in[i + 1] & 0xff) < 0xa0) {
        return 2;
      }
      boolean separator = b == 0xe2 && (in[i + 1] & 0xff) == 0x80 && (in[i + 2] & 0xfe) == 0xa8;
      return separator ? 3 : 0;
    }
  }
}
