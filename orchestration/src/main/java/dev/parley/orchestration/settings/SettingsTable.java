package dev.parley.orchestration.settings;

import dev.parley.core.ParleyException;
import dev.parley.core.names.SpellingSuggestion;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * A table of the settings, merged from several files: the repository's values come before the
 * user's. The reader asks for each key it knows, then calls {@link #end}. Any other key is an
 * error, because a misspelt setting would silently have no effect.
 *
 * <p>Every error names the file and the line.
 */
public final class SettingsTable {
  /** The table of one file. */
  private record Layer(Path file, TomlTable table) {
    int line(String key) {
      var position = table.inputPositionOf(List.of(key));
      return position == null ? 1 : position.line();
    }
  }

  private final String name;
  private final List<Layer> layers;
  private final Set<String> known = new LinkedHashSet<>();

  private SettingsTable(String name, List<Layer> layers) {
    this.name = name;
    this.layers = layers;
  }

  /** The merged content of some files, strongest first. */
  static SettingsTable of(List<SettingsFile> files) {
    return new SettingsTable(
        "", files.stream().map(file -> new Layer(file.path(), file.table())).toList());
  }

  /** Whether no file has it. */
  public boolean isEmpty() {
    return layers.stream().allMatch(layer -> layer.table.isEmpty());
  }

  /** Its keys. */
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    layers.forEach(layer -> keys.addAll(layer.table.keySet()));
    return keys;
  }

  /** The files with a value for a key, for people. */
  public String source(String key) {
    return layers.stream()
        .filter(layer -> layer.table.contains(List.of(key)))
        .map(layer -> layer.file.toString())
        .collect(Collectors.joining(", "));
  }

  private @Nullable Layer layer(String key) {
    known.add(key);
    for (Layer layer : layers) {
      if (layer.table.contains(List.of(key))) {
        return layer;
      }
    }
    return null;
  }

  private ParleyException bad(Layer layer, String key, String wanted) {
    return SettingsFile.invalid(
        layer.file,
        layer.line(key),
        shown(key) + " is not " + wanted + ".",
        "Write " + wanted + ".");
  }

  /** The error for a value of the right type that makes no sense. */
  public ParleyException wrong(String key, String why, String next) {
    Layer layer = layer(key);
    return layer == null
        ? ParleyException.invalid("bad-settings", shown(key) + ": " + why, next)
        : SettingsFile.invalid(layer.file, layer.line(key), shown(key) + ": " + why, next);
  }

  private String shown(String key) {
    return name.isEmpty() ? key : name + "." + key;
  }

  /** The table under a key; empty if there is none. */
  public SettingsTable section(String key) {
    known.add(key);
    List<Layer> inner = new ArrayList<>();
    for (Layer layer : layers) {
      Object value = layer.table.get(List.of(key));
      if (value instanceof TomlTable table) {
        inner.add(new Layer(layer.file, table));
      } else if (value != null) {
        throw bad(layer, key, "a table, [" + shown(key) + "]");
      }
    }
    return new SettingsTable(shown(key), inner);
  }

  public @Nullable String text(String key) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    if (layer.table.get(List.of(key)) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw bad(layer, key, "a text in quotes");
  }

  public @Nullable Boolean flag(String key) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    if (layer.table.get(List.of(key)) instanceof Boolean flag) {
      return flag;
    }
    throw bad(layer, key, "true or false");
  }

  /** A list of texts, or a single text as a list of one; null if there is none. */
  public @Nullable List<String> texts(String key) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    Object value = layer.table.get(List.of(key));
    if (value instanceof String text && !text.isEmpty()) {
      return List.of(text);
    }
    List<String> texts = new ArrayList<>();
    if (value instanceof TomlArray array) {
      for (Object item : array.toList()) {
        if (!(item instanceof String text)) {
          throw bad(layer, key, "a list of texts in quotes");
        }
        texts.add(text);
      }
    }
    if (texts.isEmpty()) {
      throw bad(layer, key, "a list of texts in quotes");
    }
    return texts;
  }

  /** A table of texts, merged from all files; empty if there is none. */
  public Map<String, String> map(String key) {
    SettingsTable inner = section(key);
    Map<String, String> map = new LinkedHashMap<>();
    for (String each : inner.keys()) {
      String value = inner.text(each);
      if (value != null) {
        map.put(each, value);
      }
    }
    return map;
  }

  public @Nullable Long whole(String key, long least, long most) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    if (layer.table.get(List.of(key)) instanceof Long number && number >= least && number <= most) {
      return number;
    }
    throw bad(layer, key, "a whole number from " + least + " to " + most);
  }

  /** An amount of dollars, in millionths. */
  public @Nullable Long dollars(String key, long mostMicros) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    if (layer.table.get(List.of(key)) instanceof Number number) {
      BigDecimal micros = new BigDecimal(number.toString()).movePointRight(6);
      if (micros.signum() > 0 && micros.compareTo(BigDecimal.valueOf(mostMicros)) <= 0) {
        return micros.longValue();
      }
    }
    throw bad(layer, key, "an amount of dollars such as 2.50");
  }

  /** A time such as {@code "90s"}, {@code "5m"} or {@code "2h"}, or a number of seconds. */
  public @Nullable Duration duration(String key, Duration most) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    Duration time = Durations.parse(String.valueOf(layer.table.get(List.of(key))));
    if (time == null || time.compareTo(most) > 0) {
      throw bad(
          layer, key, "a time such as \"90s\", \"5m\" or \"2h\", at most " + Durations.show(most));
    }
    return time;
  }

  /** One of an enum's constants, written in lower case. */
  public <E extends Enum<E>> @Nullable E choice(String key, E[] values) {
    Layer layer = layer(key);
    if (layer == null) {
      return null;
    }
    Object value = layer.table.get(List.of(key));
    for (E each : values) {
      if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
        return each;
      }
    }
    throw bad(
        layer,
        key,
        "one of "
            + Arrays.stream(values)
                .map(each -> "\"" + each.name().toLowerCase(Locale.ROOT) + "\"")
                .collect(Collectors.joining(", ")));
  }

  /**
   * Rejects every key that was not asked for.
   *
   * @throws ParleyException INVALID with the file, the line and the nearest name
   */
  public void end() {
    for (Layer layer : layers) {
      for (String key : layer.table.keySet()) {
        if (!known.contains(key)) {
          throw unknown(layer, key, known);
        }
      }
    }
  }

  private ParleyException unknown(Layer layer, String key, Collection<String> keys) {
    String nearest = SpellingSuggestion.to(key, List.copyOf(keys));
    return SettingsFile.invalid(
        layer.file,
        layer.line(key),
        "there is no setting \"" + shown(key) + "\".",
        (nearest == null ? "" : "Did you mean " + nearest + "? ")
            + "Known here: "
            + String.join(", ", keys)
            + ".");
  }
}
