package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.IntOption;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A part of a message body. A long body in one piece would fill the context of a model that only
 * looked.
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

  static final Option FULL = Option.flag("--full", "show bodies in full");
  static final Option PART = Option.value("--part", "n", "show part n of a body longer than 8 KB");
  static final List<Option> OPTIONS = List.of(FULL, PART);

  static BodyPart of(Invocation invocation) {
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

  /** A message of which this part is shown. */
  record Shown(ReceivedMail letter, int part, int parts, long bytes) {
    boolean isWhole() {
      return parts == 1;
    }

    /** The command for the rest; empty if there is none. */
    String rest() {
      return "parley inbox read "
          + letter.entry().id()
          + (part < parts ? " --part " + (part + 1) + ", or all of it with --full" : " --full");
    }

    Json toJson() {
      if (isWhole()) {
        return letter.toJson();
      }
      Json.ObjectBuilder json = Json.object();
      for (Map.Entry<String, Json> field : letter.toJson().fields().entrySet()) {
        json.put(field.getKey(), field.getValue());
      }
      return json.put("part", part)
          .put("parts", parts)
          .put("bodyBytes", bytes)
          .put("rest", rest())
          .build();
    }
  }

  Shown of(ReceivedMail letter) {
    byte[] utf8 = letter.content().body().getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= limit) {
      checkThere(letter, 1);
      return new Shown(letter, 1, 1, utf8.length);
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
    checkThere(letter, parts);
    String body = new String(utf8, begin, end - begin, StandardCharsets.UTF_8);
    MailContent content = letter.content();
    ReceivedMail shown =
        new ReceivedMail(
            letter.entry(),
            letter.envelope(),
            new MailContent(
                content.subject(),
                body,
                content.artifacts(),
                content.metadata(),
                content.escalateTo(),
                content.beside()),
            letter.state(),
            letter.again());
    return new Shown(shown, number, parts, utf8.length);
  }

  private void checkThere(ReceivedMail letter, int parts) {
    if (number > parts) {
      throw ParleyException.refused(
          "no-such-part",
          "The body of " + letter.entry().id() + " has " + parts + " parts.",
          "Use --part 1 to " + parts + ", or --full.");
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
