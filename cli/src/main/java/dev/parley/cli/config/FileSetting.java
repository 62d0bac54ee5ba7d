package dev.parley.cli.config;

import dev.parley.cli.command.BodyPart;
import dev.parley.cli.team.CommandContext;
import dev.parley.core.Limits;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.filelog.ImportLimits;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting in {@code bus.json}, which each program reads when it opens the bus.
 *
 * @param field its name in the file
 * @param grows whether it may only be raised: what is already stored may need the present value
 */
record FileSetting(
    String word, String field, String usual, String meaning, Kind kind, boolean grows)
    implements Setting {
  /** The types of values. */
  enum Kind {
    NUMBER,
    WORD,
    FLAG
  }

  static final List<FileSetting> ALL =
      List.of(
          new FileSetting(
              "durability",
              "durability",
              "os",
              "what an acknowledged message survives: os (the process) or disk (the machine)",
              Kind.WORD,
              false),
          number("body-bytes", BodyPart.FIELD, BodyPart.USUAL, "bytes of a body shown at once"),
          raised("max-line", "maxLine", Limits.DEFAULT_LINE, "bytes in a line of a topic"),
          raised("max-depth", "maxDepth", Limits.DEFAULT_DEPTH, "levels of nesting in a message"),
          number(
              "max-content",
              "maxContent",
              Contents.DEFAULT_LIMIT,
              "bytes of a body that is too long for a line"),
          number(
              "remembered-writers",
              "rememberedWriters",
              Limits.DEFAULT_WRITERS,
              "writers of a topic whose repeated lines are recognised"),
          number(
              "max-foreign-id",
              "maxForeignId",
              ImportLimits.DEFAULT_ID,
              "characters of an id in mounted files"),
          number(
              "max-foreign-line",
              "maxForeignLine",
              ImportLimits.DEFAULT_LINE,
              "bytes of a message in mounted files"),
          new FileSetting(
              "network-file-system",
              "networkFileSystem",
              "false",
              "true: use the bus although its file system may not append atomically",
              Kind.FLAG,
              false));

  private static FileSetting number(String word, String field, int usual, String meaning) {
    return new FileSetting(
        word, field, Integer.toString(usual), "maximum number of " + meaning, Kind.NUMBER, false);
  }

  private static FileSetting raised(String word, String field, int usual, String meaning) {
    return new FileSetting(
        word,
        field,
        Integer.toString(usual),
        "maximum number of " + meaning + "; can only be raised",
        Kind.NUMBER,
        true);
  }

  @Override
  public String place() {
    return "bus.json";
  }

  @Override
  public String read(CommandContext context) {
    Json value = context.bus().setting(field);
    String text = value == null ? null : value.text();
    return value == null ? usual : text == null ? value.toString() : text;
  }

  @Override
  public void write(CommandContext context, String value) {
    Json json = json(value.strip().toLowerCase(Locale.ROOT));
    if (json == null) {
      throw Setting.bad(
          word,
          value,
          switch (kind) {
            case NUMBER -> "Use a whole number.";
            case WORD -> "Use os or disk.";
            case FLAG -> "Use true or false.";
          });
    }
    if (grows && json.number(0) < Long.parseLong(read(context))) {
      throw Setting.bad(word, value, "Stored messages may need the present value: only raise it.");
    }
    context.bus().set(field, json);
  }

  private @Nullable Json json(String value) {
    return switch (kind) {
      case NUMBER -> {
        try {
          int number = Integer.parseInt(value);
          yield number < (field.equals(BodyPart.FIELD) ? BodyPart.LEAST : 0)
              ? null
              : Json.of(number);
        } catch (NumberFormatException e) {
          yield null;
        }
      }
      case WORD -> value.equals("os") || value.equals("disk") ? Json.of(value) : null;
      case FLAG ->
          value.equals("true") ? Json.of(true) : value.equals("false") ? Json.of(false) : null;
    };
  }
}
