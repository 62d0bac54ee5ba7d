package dev.parley.cli.command;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.terminal.IntOption;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A part of a long text, such as the body of a message. A long text in one piece would fill the
 * context of a model that only looked.
 *
 * @param limit bytes of UTF-8 in a part; {@link Integer#MAX_VALUE} for everything
 * @param number which part, from 1
 */
public record BodyPart(int limit, int number) {
  /** The variable for the size of a part. */
  static final String VARIABLE = "PARLEY_BODY_BYTES";

  /** The setting in {@code bus.json} for the size of a part. */
  public static final String FIELD = "bodyBytes";

  /** The default, about 2,000 tokens. */
  public static final int USUAL = 8 * 1024;

  /** The least size that can be set. */
  public static final int LEAST = 64;

  public static final Option FULL = Option.flag("--full", "show bodies in full");
  public static final Option PART =
      Option.value("--part", "n", "show part n of a body longer than 8 KB");

  /** The part that the options ask for; the first one if they don't say. */
  public static BodyPart of(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    String part = arguments.value(PART);
    if (arguments.has(FULL)) {
      if (part != null) {
        throw ParleyException.invalid(
            "contradiction", "--full and --part contradict each other.", "Give one of them.");
      }
      return new BodyPart(Integer.MAX_VALUE, 1);
    }
    return new BodyPart(
        limit(invocation),
        part == null ? 1 : IntOption.number(PART.name(), part, 1, Integer.MAX_VALUE));
  }

  private static int limit(Invocation invocation) {
    String set = invocation.shell().variable(VARIABLE);
    if (set == null) {
      Json ofBus = invocation.busToLookAt().setting(FIELD);
      return ofBus == null ? USUAL : Math.clamp(ofBus.number(USUAL), LEAST, Integer.MAX_VALUE);
    }
    return IntOption.number(VARIABLE, set, LEAST, Integer.MAX_VALUE);
  }

  /**
   * What is shown of a text.
   *
   * @param part which part it is, from 1
   * @param bytes of the whole text
   * @param command the command that shows the rest
   */
  public record Shown(String text, int part, int parts, long bytes, String command) {
    public boolean isWhole() {
      return parts == 1;
    }

    /** How to get the rest, in words. */
    private String rest() {
      return command
          + (part < parts ? " --part " + (part + 1) + ", or all of it with --full" : " --full");
    }

    /** The line that follows a part for people. */
    public String remark() {
      return "[part "
          + part
          + " of "
          + parts
          + " of "
          + bytes
          + " bytes; the rest: "
          + rest()
          + "]";
    }

    /** An object whose field has the text, with this part of it and how to get the rest. */
    public Json in(Json object, String field) {
      if (isWhole()) {
        return object;
      }
      Json.ObjectBuilder json = Json.object();
      for (Map.Entry<String, Json> each : object.fields().entrySet()) {
        json.put(each.getKey(), each.getKey().equals(field) ? Json.of(text) : each.getValue());
      }
      return json.put("part", part)
          .put("parts", parts)
          .put("bodyBytes", bytes)
          .put("rest", rest())
          .build();
    }
  }

  /**
   * This part of a text.
   *
   * @param what the name of the text, for the error
   * @param command the command that shows it
   * @throws ParleyException REFUSED if it has fewer parts
   */
  public Shown of(String what, String text, String command) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= limit) {
      checkThere(what, 1);
      return new Shown(text, 1, 1, utf8.length, command);
    }
    int begin = 0;
    int end = 0;
    int parts = 0;
    for (int at = 0; at < utf8.length; parts++) {
      int next = end(utf8, at);
      if (parts + 1 == number) {
        begin = at;
        end = next;
      }
      at = next;
    }
    checkThere(what, parts);
    String shown = new String(utf8, begin, end - begin, StandardCharsets.UTF_8);
    return new Shown(shown, number, parts, utf8.length, command);
  }

  private void checkThere(String what, int parts) {
    if (number > parts) {
      throw ParleyException.refused(
          "no-such-part",
          "The body of " + what + (parts == 1 ? " has one part." : " has " + parts + " parts."),
          parts == 1 ? "Leave out --part." : "Use --part 1 to " + parts + ", or --full.");
    }
  }

  /** The end of a part: after a line if one ends in the second half, never inside a character. */
  private int end(byte[] utf8, int begin) {
    int end = begin + Math.min(limit, utf8.length - begin);
    if (end == utf8.length) {
      return end;
    }
    for (int at = end; at > begin + limit / 2; at--) {
      if (utf8[at - 1] == '\n') {
        return at;
      }
    }
    while (end > begin + 1 && (utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    return end;
  }
}
