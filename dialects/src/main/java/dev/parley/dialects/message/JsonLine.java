package dev.parley.dialects.message;

import dev.parley.core.json.ByteWords;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.json.JsonException;
import dev.parley.core.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object of a JSON Lines file, with the offsets of its members. Values are copied only on
 * request, because a large file has a million of them.
 */
public final class JsonLine {
  /** Nearly all objects have at most this many members. */
  private static final int USUAL = 8;

  /** Above this many members, repeated keys are found in another way. */
  private static final int FEW = 16;

  /** No member. */
  static final int NONE = -1;

  private final byte[] bytes;

  /** Four offsets for each member: begin and end of the key, begin and end of the value. */
  private final int[] places;

  private final int members;

  private final boolean plainKeys;

  /** Whether the object can be copied unchanged into a line of the log. */
  private final boolean safe;

  private JsonLine(byte[] bytes, int[] places, int members, boolean plainKeys, boolean safe) {
    this.bytes = bytes;
    this.places = places;
    this.members = members;
    this.plainKeys = plainKeys;
    this.safe = safe;
  }

  /**
   * Scans {@code bytes[from..to)}, which must not change afterwards.
   *
   * @throws JsonException if it is not an object, or has a key twice
   */
  public static JsonLine scan(JsonScanner scanner, byte[] bytes, int from, int to) {
    scanner.reset(bytes, from, to);
    scanner.whitespace();
    scanner.expect('{');
    scanner.whitespace();
    int[] places = new int[4 * USUAL];
    int count = 0;
    boolean plain = true;
    boolean more = !scanner.accept('}');
    while (more) {
      if (count == places.length) {
        places = Arrays.copyOf(places, 2 * count);
      }
      places[count++] = scanner.at();
      scanner.string();
      plain &= scanner.wasPlain();
      places[count++] = scanner.at();
      scanner.whitespace();
      scanner.expect(':');
      scanner.whitespace();
      places[count++] = scanner.at();
      scanner.value(1);
      places[count++] = scanner.at();
      scanner.whitespace();
      more = scanner.accept(',');
      if (more) {
        scanner.whitespace();
      } else {
        scanner.expect('}');
      }
    }
    scanner.whitespace();
    if (!scanner.atEnd()) {
      throw new JsonException("more than one value", scanner.at());
    }
    JsonLine line =
        new JsonLine(bytes, places, count / 4, plain, ByteWords.arePrintable(bytes, from, to));
    if (line.hasKeyTwice()) {
      throw new JsonException("a key twice", from);
    }
    return line;
  }

  static JsonLine of(Json object) {
    byte[] bytes = object.toString().getBytes(StandardCharsets.UTF_8);
    return scan(new JsonScanner(Integer.MAX_VALUE), bytes, 0, bytes.length);
  }

  /** A member's value; JSON null if there is none of this name. */
  Json json(String key) {
    int member = find(key);
    return member == NONE ? Json.NULL : value(member);
  }

  /** The whole object. */
  public Json json() {
    Json.ObjectBuilder json = Json.object();
    for (int member = 0; member < members(); member++) {
      json.put(key(member), value(member));
    }
    return json.build();
  }

  private boolean hasKeyTwice() {
    if (members > FEW || !plainKeys) {
      Set<String> keys = new HashSet<>();
      for (int member = 0; member < members; member++) {
        if (!keys.add(key(member))) {
          return true;
        }
      }
      return false;
    }
    for (int one = 1; one < members; one++) {
      for (int other = 0; other < one; other++) {
        if (isSameKey(4 * one, 4 * other)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Keys nearly always differ in length or first letter, so those are compared first. */
  private boolean isSameKey(int one, int other) {
    int length = places[one + 1] - places[one];
    return length == places[other + 1] - places[other]
        && bytes[places[one] + 1] == bytes[places[other] + 1]
        && Arrays.equals(
            bytes, places[one], places[one + 1], bytes, places[other], places[other + 1]);
  }

  int members() {
    return members;
  }

  String key(int member) {
    return JsonScanner.text(bytes, places[4 * member], places[4 * member + 1]);
  }

  int find(String key) {
    for (int member = 0; member < members(); member++) {
      if (isKey(member, key)) {
        return member;
      }
    }
    return NONE;
  }

  /** Whether a member has this key, in printable ASCII. */
  boolean isKey(int member, String key) {
    if (!plainKeys) {
      return key(member).equals(key);
    }
    return isAt(places[4 * member] + 1, places[4 * member + 1] - 1, key);
  }

  private boolean isAt(int from, int to, String text) {
    if (to - from != text.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The word that a member's value equals, in printable ASCII; null if it is none of them. */
  public @Nullable String oneOf(String key, List<String> words) {
    int member = find(key);
    if (member != NONE) {
      for (int i = 0; i < words.size(); i++) {
        if (isPlainText(member, words.get(i))) {
          return words.get(i);
        }
      }
    }
    return null;
  }

  /** Whether a member's value is this word, written without escapes. */
  private boolean isPlainText(int member, String word) {
    int from = places[4 * member + 2];
    return bytes[from] == '"' && isAt(from + 1, places[4 * member + 3] - 1, word);
  }

  /** Whether a member's value is exactly this quoted text, written without escapes. */
  public boolean is(String key, byte[] quoted) {
    int member = find(key);
    return member != NONE
        && Arrays.equals(
            bytes, places[4 * member + 2], places[4 * member + 3], quoted, 0, quoted.length);
  }

  public boolean has(String key) {
    return find(key) != NONE;
  }

  /** A text; null if there is none of this name. */
  public @Nullable String text(String key) {
    int member = find(key);
    return member == NONE ? null : text(member);
  }

  public String text(String key, String otherwise) {
    return Objects.requireNonNullElse(text(key), otherwise);
  }

  /** Whether a member is a text that is not empty. */
  boolean isText(int member) {
    return bytes[places[4 * member + 2]] == '"'
        && places[4 * member + 3] - places[4 * member + 2] > 2;
  }

  @Nullable String text(int member) {
    int from = places[4 * member + 2];
    return bytes[from] == '"' ? JsonScanner.text(bytes, from, places[4 * member + 3]) : null;
  }

  public long number(String key, long otherwise) {
    int member = find(key);
    return member == NONE ? otherwise : value(member).number(otherwise);
  }

  /** A text as a list of one, or all texts of a list. */
  public List<String> texts(String key) {
    int member = find(key);
    if (member == NONE) {
      return List.of();
    }
    String one = text(member);
    return one != null
        ? List.of(one)
        : value(member).items().stream().map(Json::text).filter(Objects::nonNull).toList();
  }

  Json value(int member) {
    int from = places[4 * member + 2];
    int to = places[4 * member + 3];
    return safe
        ? Json.scanned(bytes, from, to)
        : Json.parse(Arrays.copyOfRange(bytes, from, to), Integer.MAX_VALUE);
  }

  /** Copies a member as it is written here. */
  void writeTo(JsonBytes out, int member) {
    if (plainKeys) {
      out.raw(bytes, places[4 * member], places[4 * member + 1]);
    } else {
      out.string(key(member));
    }
    out.raw(':');
    writeValueTo(out, member);
  }

  void writeValueTo(JsonBytes out, int member) {
    if (safe) {
      out.raw(bytes, places[4 * member + 2], places[4 * member + 3]);
    } else {
      value(member).writeTo(out);
    }
  }
}
