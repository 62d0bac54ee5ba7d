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
 * Something on a bulletin, however often it was posted.
 *
 * @param authors who posted it, the first first
 * @param posted how often it was posted in this wave
 * @param carried how often it was posted in earlier waves
 * @param wave the wave it was carried over from; null if it was posted in this one
 * @param paths what an intent is about
 * @param position where it was posted last
 * @param time when; null if it was not said
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

  /** What kinds of notices there are. */
  public enum Kind {
    /** A fact that helps others. */
    DISCOVERY(BulletinTypes.DISCOVERY),
    /** Something to beware of; it is never left out to make room for others. */
    WARNING(BulletinTypes.WARNING),
    /** What an agent is about to change. */
    INTENT(BulletinTypes.INTENT),
    /** Anything else that workers should know beforehand. */
    CONTEXT(BulletinTypes.CONTEXT);

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    /** The type of its envelopes. */
    public String type() {
      return type;
    }

    /** How it is written: in small letters. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The kind written so, in whatever case; null if there is none. */
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

  /** How many characters a text may have. */
  public static final int LONGEST_TEXT = 4_000;

  /** How many authors of the same notice are remembered. */
  static final int MOST_AUTHORS = 20;

  public int count() {
    return posted + carried;
  }

  /** The same notice, posted again. */
  Notice with(Notice other) {
    return new Notice(
        kind,
        text,
        Stream.concat(authors.stream(), other.authors.stream())
            .distinct()
            .limit(MOST_AUTHORS)
            .toList(),
        posted + other.posted,
        // Whoever carries it over says how often it was posted before: saying that twice adds
        // nothing.
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
