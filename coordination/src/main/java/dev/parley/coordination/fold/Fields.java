package dev.parley.coordination.fold;

import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a payload or of a saved state, read tolerantly: a field of the wrong kind counts as
 * missing.
 */
public record Fields(Map<String, Json> values) {
  public static Fields of(@Nullable Json object) {
    return new Fields(object == null ? Map.of() : object.fields());
  }

  public @Nullable Json json(String name) {
    return values.get(name);
  }

  public Fields object(String name) {
    return of(values.get(name));
  }

  public @Nullable String text(String name) {
    Json value = values.get(name);
    return value == null ? null : value.text();
  }

  public String text(String name, String otherwise) {
    String text = text(name);
    return text == null ? otherwise : text;
  }

  public long number(String name, long otherwise) {
    Json value = values.get(name);
    return value == null ? otherwise : value.number(otherwise);
  }

  public boolean flag(String name) {
    Json value = values.get(name);
    return value != null && value.isTrue();
  }

  public @Nullable Instant time(String name) {
    String text = text(name);
    return text == null ? null : Timestamps.parse(text);
  }

  /**
   * A time that a saved state must have.
   *
   * @throws IllegalArgumentException if it is missing
   */
  public Instant need(String name) {
    Instant time = time(name);
    if (time == null) {
      throw new IllegalArgumentException("there is no " + name);
    }
    return time;
  }

  public List<Json> items(String name) {
    Json value = values.get(name);
    return value == null ? List.of() : value.items();
  }

  /** The fields of each object in a list. */
  public List<Fields> objects(String name) {
    List<Json> items = items(name);
    return items.isEmpty() ? List.of() : items.stream().map(Fields::of).toList();
  }

  public List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Json item : items(name)) {
      String text = item.text();
      if (text != null) {
        texts.add(text);
      }
    }
    return Collections.unmodifiableList(texts);
  }

  /** A text cut to a length, because views store what agents wrote. */
  public @Nullable String text(String name, int longest) {
    String text = text(name);
    return text == null ? null : cut(text, longest);
  }

  /** The first texts of a list, each cut to a length. */
  public List<String> texts(String name, int most, int longest) {
    return texts(name).stream().limit(most).map(text -> cut(text, longest)).toList();
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest);
  }

  /** The constant that a text names, in capital or small letters; null if it names none. */
  public <E extends Enum<E>> @Nullable E choice(String name, E[] values) {
    String text = text(name);
    for (E value : values) {
      if (value.name().equalsIgnoreCase(text)) {
        return value;
      }
    }
    return null;
  }
}
