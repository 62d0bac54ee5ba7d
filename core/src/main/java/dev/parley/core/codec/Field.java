package dev.parley.core.codec;

import dev.parley.core.json.Token;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The keys of an envelope, in the order they are written. */
@SuppressWarnings("ImmutableEnumChecker") // the arrays are never changed and stay in this package
public enum Field {
  ID("id", Kind.TEXT),
  SEQ("seq", Kind.NUMBER),
  TIMESTAMP("timestamp", Kind.TEXT),
  SENDER("sender", Kind.TEXT),
  TOPIC("topic", Kind.TEXT),
  TYPE("type", Kind.TEXT),
  PAYLOAD("payload", Kind.ANY),
  TO("to", Kind.NAMES),
  THREAD("thread", Kind.TEXT),
  REPLY_TO("replyTo", Kind.TEXT),
  PRIORITY("priority", Kind.TEXT),
  NEEDS_REPLY("needsReply", Kind.FLAG),
  DEADLINE("deadline", Kind.TEXT),
  KEY("key", Kind.TEXT),
  AUTOMATIC("automatic", Kind.FLAG),
  RUN("run", Kind.TEXT),
  TASK("task", Kind.TEXT),
  SIGNATURE("signature", Kind.TEXT),
  /** Any kind: a malformed clock is ignored and does not make the line damaged. */
  CLOCK("clock", Kind.ANY);

  /** The kind of value that a field must have; null counts as absent. */
  enum Kind {
    TEXT,
    NUMBER,
    FLAG,
    /** A string or an array of strings. */
    NAMES,
    ANY
  }

  static final int COUNT = values().length;

  private static final Field[] ALL = values();

  final String name;
  final Kind kind;

  /** The key as it is written in a line: {@code ,"name":}. */
  final byte[] prefix;

  /** The same bytes, for fast recognition. */
  final Token token;

  private final byte[] bytes;

  Field(String name, Kind kind) {
    this.name = name;
    this.kind = kind;
    this.bytes = name.getBytes(StandardCharsets.US_ASCII);
    String written = ",\"" + name + "\":";
    this.prefix = written.getBytes(StandardCharsets.US_ASCII);
    this.token = new Token(written);
  }

  /** The index of this field in the order. */
  @SuppressWarnings("EnumOrdinal") // the order is the format
  int index() {
    return ordinal();
  }

  /** The field that follows in the order; null after the last. */
  @Nullable Field next() {
    return index() + 1 < COUNT ? ALL[index() + 1] : null;
  }

  public static @Nullable Field named(String name) {
    for (Field field : ALL) {
      if (field.name.equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** The field whose name is {@code line[from..to)}. */
  static @Nullable Field named(byte[] line, int from, int to) {
    for (Field field : ALL) {
      if (field.is(line, from, to)) {
        return field;
      }
    }
    return null;
  }

  private boolean is(byte[] line, int from, int to) {
    return to - from == bytes.length
        && line[from] == bytes[0]
        && Arrays.equals(line, from, to, bytes, 0, bytes.length);
  }
}
