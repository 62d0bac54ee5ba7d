package dev.parley.coordination.work;

import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lease: the paths and the terms.
 *
 * @param tree the working tree of the paths
 * @param cover the working trees in which to keep others off; null for the bus's setting
 * @param task the task that the paths are for; its end releases them
 */
public record LockRequest(
    List<String> paths,
    boolean shared,
    String tree,
    @Nullable LeaseScope cover,
    Duration ttl,
    @Nullable String task) {

  public LockRequest {
    List<PathPattern> patterns = paths.stream().distinct().map(PathPattern::of).toList();
    if (!LeaseTerms.isFit(patterns)) {
      throw ParleyException.invalid(
          "bad-paths",
          Json.object()
              .put("given", paths.size())
              .put("most", LeaseTerms.MOST_PATHS)
              .put("characters", LeaseTerms.MOST_CHARACTERS));
    }
    paths = patterns.stream().map(PathPattern::toString).toList();
    check("ttl", ttl, LeaseTerms.LEAST_TTL, LeaseTerms.MOST_TTL);
  }

  /**
   * A request that names its cover by a flag.
   *
   * @param repo whether the lease covers every working tree, whatever the bus's setting
   */
  public LockRequest(
      List<String> paths,
      boolean shared,
      String tree,
      boolean repo,
      Duration ttl,
      @Nullable String task) {
    this(paths, shared, tree, repo ? LeaseScope.REPOSITORY : null, ttl, task);
  }

  /** An exclusive request for the usual time, without a named working tree. */
  public static LockRequest of(String... paths) {
    return new LockRequest(List.of(paths), false, "", null, LeaseTerms.TTL, null);
  }

  public LockRequest shared(boolean yes) {
    return new LockRequest(paths, yes, tree, cover, ttl, task);
  }

  public LockRequest in(String where, boolean everywhere) {
    return new LockRequest(paths, shared, where, everywhere, ttl, task);
  }

  /** The same with this cover; null for the bus's setting. */
  public LockRequest covering(@Nullable LeaseScope trees) {
    return new LockRequest(paths, shared, tree, trees, ttl, task);
  }

  public LockRequest lasting(Duration time) {
    return new LockRequest(paths, shared, tree, cover, time, task);
  }

  public LockRequest forTask(@Nullable String id) {
    return new LockRequest(paths, shared, tree, cover, ttl, id);
  }

  /** Refuses a duration that is out of range. */
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
      json.put("repo", cover == LeaseScope.REPOSITORY);
    }
    json.put("ttl", ttl.toSeconds());
    return task == null ? json : json.put("task", task);
  }
}
