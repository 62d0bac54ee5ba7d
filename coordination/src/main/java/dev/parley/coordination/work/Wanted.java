package dev.parley.coordination.work;

import dev.parley.coordination.lease.Ask;
import dev.parley.coordination.lease.Cover;
import dev.parley.coordination.lease.PathPattern;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths that somebody wants to hold, and how.
 *
 * @param tree the working tree that they lie in
 * @param cover in which working trees they are meant; null for where the bus says
 * @param task the task they are for, with whose end they are released
 */
public record Wanted(
    List<String> paths,
    boolean shared,
    String tree,
    @Nullable Cover cover,
    Duration ttl,
    @Nullable String task) {

  public Wanted {
    List<PathPattern> patterns = paths.stream().distinct().map(PathPattern::of).toList();
    if (!Ask.isFit(patterns)) {
      throw ParleyException.invalid(
          "bad-paths",
          Json.object()
              .put("given", paths.size())
              .put("most", Ask.MOST_PATHS)
              .put("characters", Ask.MOST_CHARACTERS));
    }
    paths = patterns.stream().map(PathPattern::toString).toList();
    check("ttl", ttl, Ask.LEAST_TTL, Ask.MOST_TTL);
  }

  /**
   * As the other.
   *
   * @param repo whether they are meant in every working tree, whatever the bus says
   */
  public Wanted(
      List<String> paths,
      boolean shared,
      String tree,
      boolean repo,
      Duration ttl,
      @Nullable String task) {
    this(paths, shared, tree, repo ? Cover.REPOSITORY : null, ttl, task);
  }

  /** Exclusively, for the usual time, in the one tree there is. */
  public static Wanted of(String... paths) {
    return new Wanted(List.of(paths), false, "", null, Ask.TTL, null);
  }

  public Wanted shared(boolean yes) {
    return new Wanted(paths, yes, tree, cover, ttl, task);
  }

  public Wanted in(String where, boolean everywhere) {
    return new Wanted(paths, shared, where, everywhere, ttl, task);
  }

  /** In these working trees; null for where the bus says. */
  public Wanted covering(@Nullable Cover trees) {
    return new Wanted(paths, shared, tree, trees, ttl, task);
  }

  public Wanted lasting(Duration time) {
    return new Wanted(paths, shared, tree, cover, time, task);
  }

  public Wanted forTask(@Nullable String id) {
    return new Wanted(paths, shared, tree, cover, ttl, id);
  }

  /** Refuses a duration out of bounds. */
  static Duration check(String what, Duration time, Duration least, Duration most) {
    if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
      throw ParleyException.invalid(
          "bad-duration",
          Json.object()
              .put("what", what)
              .put("seconds", time.toSeconds())
              .put("least", least.toSeconds())
              .put("most", most.toSeconds()));
    }
    return time;
  }

  Json.ObjectBuilder write() {
    Json.ObjectBuilder json = Json.object().put("paths", Json.ofStrings(paths));
    if (shared) {
      json.put("shared", true);
    }
    if (!tree.isEmpty()) {
      json.put("tree", tree);
    }
    if (cover != null) {
      json.put("repo", cover == Cover.REPOSITORY);
    }
    json.put("ttl", ttl.toSeconds());
    return task == null ? json : json.put("task", task);
  }
}
