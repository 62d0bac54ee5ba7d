package dev.parley.coordination.path;

import dev.parley.coordination.path.SequencePattern.Step;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Paths of a working tree, relative to its root and with slashes.
 *
 * <pre>
 * src/a.ts     this path; if it is a folder, everything in it as well
 * src/         everything in this folder
 * src/*.java   * is any part of a name, ? one character, [a-c] or [!a-c] one of some
 * src/**       ** is any number of folders, also none
 * {a,b}/x      a/x and b/x
 * \*           the character itself
 * </pre>
 */
public final class PathPattern {
  /** The most characters of a pattern. */
  public static final int MOST_CHARACTERS = 1024;

  /** The most patterns that its braces may expand to. */
  public static final int MOST_ALTERNATIVES = 64;

  /**
   * The most characters of those together: the cost of comparing grows with the product of the
   * sizes.
   */
  public static final int MOST_WRITTEN_OUT = 4096;

  private static final String SPECIAL = "*?[]{}\\";

  private final String text;
  private final int length;
  private final List<Alternative> alternatives;

  /** One of the patterns that the braces expand to. */
  public static final class Alternative {
    private final String prefix;
    private final boolean plain;

    /** Parsed only when needed: most plain paths are compared with plain paths only. */
    private @Nullable SequencePattern<NamePattern> names;

    private Alternative(
        String prefix, boolean plain, @Nullable SequencePattern<NamePattern> names) {
      this.prefix = prefix;
      this.plain = plain;
      this.names = names;
    }

    /** The leading folders with fixed names, each with its slash. */
    public String prefix() {
      return prefix;
    }

    private SequencePattern<NamePattern> names() {
      SequencePattern<NamePattern> found = names;
      if (found == null) {
        List<Step<NamePattern>> steps = new ArrayList<>();
        for (String name : prefix.substring(0, prefix.length() - 1).split("/", -1)) {
          steps.add(new Step<>(new NamePattern.Fixed(name)));
        }
        steps.add(new Step<>(null));
        found = new SequencePattern<>(List.copyOf(steps));
        names = found;
      }
      return found;
    }

    boolean meets(Alternative other) {
      // Most pairs are in different folders, which this finds at once.
      return (prefix.startsWith(other.prefix) || other.prefix.startsWith(prefix))
          && ((plain && other.plain) || meets(other.names()));
    }

    boolean meets(SequencePattern<NamePattern> other) {
      return names().meets(other, NamePattern::meets);
    }

    /** Whether this is a plain path that contains everything that the other matches. */
    boolean includes(Alternative other) {
      return plain && other.prefix.startsWith(prefix);
    }
  }

  private PathPattern(String text, int length, List<Alternative> alternatives) {
    this.text = text;
    this.length = length;
    this.alternatives = alternatives;
  }

  /**
   * Parses a pattern.
   *
   * @throws ParleyException INVALID if the text is not a pattern of relative paths
   */
  public static PathPattern of(String text) {
    String reason = text.length() > MOST_CHARACTERS ? "it is too long" : null;
    List<Alternative> alternatives = new ArrayList<>();
    int length = 0;
    try {
      if (reason == null) {
        for (String alternative : BraceExpansion.expand(text, MOST_ALTERNATIVES)) {
          alternatives.add(alternative(alternative));
          length += alternative.length();
        }
        reason = length > MOST_WRITTEN_OUT ? "it is too long with its braces written out" : null;
      }
    } catch (IllegalArgumentException e) {
      reason = e.getMessage();
    }
    if (reason != null) {
      throw ParleyException.invalid(
          "bad-path", Json.object().put("path", text).put("problem", reason));
    }
    return new PathPattern(text, length, List.copyOf(alternatives));
  }

  /** The pattern of this text; null if it is not valid. */
  public static @Nullable PathPattern find(String text) {
    try {
      return of(text);
    } catch (ParleyException e) {
      return null;
    }
  }

  /** The pattern that matches exactly this path, whatever its characters. */
  public static String quote(String path) {
    return path.chars()
        .mapToObj(c -> (SPECIAL.indexOf(c) >= 0 ? "\\" : "") + (char) c)
        .collect(Collectors.joining());
  }

  private static Alternative alternative(String text) {
    boolean folder = text.endsWith("/");
    String path = folder ? text.substring(0, text.length() - 1) : text;
    if (NamePatternParser.arePlain(path)) {
      return new Alternative(path + "/", true, null);
    }
    String[] parts = path.split("/", -1);
    List<Step<NamePattern>> steps = new ArrayList<>();
    StringBuilder prefix = new StringBuilder();
    boolean plain = true;
    for (String part : parts) {
      NamePattern name = part.equals("**") ? null : NamePatternParser.parse(part);
      String only = name == null ? null : name.only();
      plain &= only != null;
      if (plain) {
        prefix.append(only).append('/');
      }
      steps.add(new Step<>(name));
    }
    if (plain || folder) {
      steps.add(new Step<>(null));
    }
    return new Alternative(prefix.toString(), plain, new SequencePattern<>(List.copyOf(steps)));
  }

  /**
   * The one path that this matches, without quotes; null if there are wildcards or it means a
   * folder.
   */
  public @Nullable String path() {
    Alternative only = alternatives.getFirst();
    boolean plain = alternatives.size() == 1 && only.plain && !text.endsWith("/");
    return plain ? only.prefix.substring(0, only.prefix.length() - 1) : null;
  }

  /** Whether some path matches both. */
  public boolean overlaps(PathPattern other) {
    for (Alternative mine : alternatives) {
      for (Alternative theirs : other.alternatives) {
        if (mine.meets(theirs)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether this path matches. */
  public boolean describes(String path) {
    List<Step<NamePattern>> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      names.add(new Step<>(NamePatternParser.parse(quote(name))));
    }
    SequencePattern<NamePattern> only = new SequencePattern<>(names);
    return alternatives.stream().anyMatch(one -> one.meets(only));
  }

  /** Whether everything that the other matches certainly matches this. */
  public boolean includes(PathPattern other) {
    return text.equals(other.text)
        || other.alternatives.stream()
            .allMatch(theirs -> alternatives.stream().anyMatch(mine -> mine.includes(theirs)));
  }

  /** The characters of all patterns that the braces expand to. */
  public int length() {
    return length;
  }

  /** Whether it has no wildcards. */
  boolean isPlain() {
    for (Alternative alternative : alternatives) {
      if (!alternative.plain) {
        return false;
      }
    }
    return true;
  }

  public List<Alternative> alternatives() {
    return alternatives;
  }

  public static Json texts(List<PathPattern> patterns) {
    return Json.ofStrings(patterns.stream().map(PathPattern::toString).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PathPattern pattern && pattern.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
