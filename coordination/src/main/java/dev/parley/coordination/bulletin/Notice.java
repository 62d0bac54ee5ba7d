package dev.parley.coordination.bulletin;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A notice on a bulletin, however often it was posted.
 *
 * @param authors the agents that posted it, the first one first
 * @param posted how often it was posted in this wave
 * @param carried how often it was posted in earlier waves
 * @param wave the wave it was carried over from; null if it was posted in this one
 * @param paths the paths of an intent
 * @param position the position of its last post
 * @param time the time of that post; null if it has none
 */
public record Notice(
    Kind kind,
    String text,
    List<String> authors,
    int posted,
    int carried,
    @Nullable String wave,
    List<PathPattern> paths,
    long position,
    @Nullable Instant time) {

  /** The kinds of notices. */
  public enum Kind {
    /** A fact that helps others. */
    DISCOVERY(BulletinTypes.DISCOVERY),
    /** Something to beware of. The cap never leaves it out. */
    WARNING(BulletinTypes.WARNING),
    /** What an agent is about to change. */
    INTENT(BulletinTypes.INTENT),
    /** Anything else that workers should know before they begin. */
    CONTEXT(BulletinTypes.CONTEXT);

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    /** The type of its envelopes. */
    public String type() {
      return type;
    }

    /** The word for it: its name in small letters. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of this word, in capital or small letters; null if there is none. */
    public static @Nullable Kind find(String word) {
      for (Kind kind : values()) {
        if (kind.word().equalsIgnoreCase(word)) {
          return kind;
        }
      }
      return null;
    }

    static @Nullable Kind ofType(String type) {
      for (Kind kind : values()) {
        if (kind.type.equals(type)) {
          return kind;
        }
      }
      return null;
    }
  }

  /** The most characters of a text. */
  public static final int LONGEST_TEXT = 4_000;

  /** The most authors of one notice that are kept. */
  static final int MOST_AUTHORS = 20;

  public int count() {
    return posted + carried;
  }

  /** This notice after another post of it. */
  Notice with(Notice other) {
    return new Notice(
        kind,
        text,
        Stream.concat(authors.stream(), other.authors.stream())
            .distinct()
            .limit(MOST_AUTHORS)
            .toList(),
        posted + other.posted,
        // A line that carries a notice over states how often it was posted before. Two such
        // lines state the same posts, so they are not added up.
        Math.max(carried, other.carried),
        posted + other.posted > 0 ? null : wave,
        paths,
        other.position,
        other.time);
  }

  Json save() {
    Json.ObjectBuilder json =
        Json.object()
            .put("kind", kind.word())
            .put("text", text)
            .put("authors", Json.ofStrings(authors))
            .put("posted", posted)
            .put("carried", carried)
            .put("paths", Json.ofStrings(paths.stream().map(PathPattern::toString).toList()))
            .put("position", position);
    if (wave != null) {
      json.put("wave", wave);
    }
    return (time == null ? json : json.put("time", Timestamps.format(time))).build();
  }

  static Notice load(Fields saved) {
    Kind kind = Kind.find(saved.text("kind", ""));
    if (kind == null) {
      throw new IllegalArgumentException("not a notice");
    }
    return new Notice(
        kind,
        saved.text("text", ""),
        saved.texts("authors"),
        (int) saved.number("posted", 0),
        (int) saved.number("carried", 0),
        saved.text("wave"),
        saved.texts("paths").stream().map(PathPattern::of).toList(),
        saved.number("position", 0),
        saved.time("time"));
  }
}
