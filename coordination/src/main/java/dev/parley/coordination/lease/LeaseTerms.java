package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.path.ComparisonCost;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a lease or of a request for one: the session, the paths, and how they are held.
 *
 * @param shared whether others may hold the same paths, shared as well
 * @param tree the working tree that the paths lie in
 * @param repo whether the lease covers every working tree of the repository
 * @param task the task that the paths are held for; its end releases them
 * @param weight what comparing these paths with others costs
 */
public record LeaseTerms(
    String name,
    String session,
    List<PathPattern> paths,
    boolean shared,
    String tree,
    boolean repo,
    Duration ttl,
    @Nullable String task,
    ComparisonCost weight) {

  public LeaseTerms(
      String name,
      String session,
      List<PathPattern> paths,
      boolean shared,
      String tree,
      boolean repo,
      Duration ttl,
      @Nullable String task) {
    this(name, session, paths, shared, tree, repo, ttl, task, ComparisonCost.of(paths));
  }

  /** How long a lease lasts if the request does not say. */
  public static final Duration TTL = Duration.ofMinutes(30);

  public static final Duration LEAST_TTL = Duration.ofSeconds(1);
  public static final Duration MOST_TTL = Duration.ofDays(7);

  /** The most paths that one request may name. */
  public static final int MOST_PATHS = 256;

  /** The most characters of these paths together, with their braces expanded. */
  public static final int MOST_CHARACTERS = 32_768;

  /** Whether these paths are not too many and not too long for one request. */
  public static boolean isFit(List<PathPattern> paths) {
    int length = 0;
    for (PathPattern path : paths) {
      length += path.length();
    }
    return !paths.isEmpty() && paths.size() <= MOST_PATHS && length <= MOST_CHARACTERS;
  }

  /**
   * The terms that a request asks for; null if its paths are invalid.
   *
   * @param otherwise the cover of a request that does not name one
   */
  static @Nullable LeaseTerms of(Request request, LeaseScope otherwise) {
    List<PathPattern> paths = paths(request.payload());
    return paths == null
        ? null
        : new LeaseTerms(
            request.name(),
            request.session(),
            paths,
            request.payload().flag("shared"),
            request.payload().text("tree", ""),
            isEverywhere(request.payload(), otherwise),
            request.seconds("ttl", TTL, LEAST_TTL, MOST_TTL),
            request.text("task"));
  }

  /** Whether a request covers every working tree; a request that does not say follows the bus. */
  public static boolean isEverywhere(Fields payload, LeaseScope otherwise) {
    return payload.json("repo") == null ? otherwise == LeaseScope.REPOSITORY : payload.flag("repo");
  }

  private static @Nullable List<PathPattern> paths(Fields payload) {
    List<PathPattern> paths = new ArrayList<>();
    for (Json item : payload.items("paths")) {
      String text = item.text();
      PathPattern pattern = text == null ? null : PathPattern.find(text);
      if (pattern == null || paths.size() > MOST_PATHS) {
        return null;
      }
      if (!paths.contains(pattern)) {
        paths.add(pattern);
      }
    }
    return isFit(paths) ? List.copyOf(paths) : null;
  }

  LeaseTerms of(List<PathPattern> others) {
    return new LeaseTerms(name, session, others, shared, tree, repo, ttl, task);
  }

  LeaseTerms forTask(String other) {
    return new LeaseTerms(name, session, paths, shared, tree, repo, ttl, other, weight);
  }

  /** Whether this is the very same request, not an equal one. */
  @SuppressWarnings("ReferenceEquality")
  public boolean is(LeaseTerms other) {
    return this == other;
  }

  boolean hasPathsAndTaskOf(LeaseTerms other) {
    return paths.equals(other.paths) && Objects.equals(task, other.task);
  }

  /** Whether two sessions can't hold both at the same time. */
  boolean conflicts(LeaseTerms other) {
    return (tree.equals(other.tree) || repo || other.repo) && excludes(other);
  }

  /** Whether this lease must end or become smaller when another tool reports the other one. */
  boolean givesWay(LeaseTerms other) {
    return conflicts(other) || (session.equals(other.session) && overlaps(other));
  }

  /** Whether the two would conflict in one working tree, but are in different ones. */
  boolean isNear(LeaseTerms other) {
    return !tree.equals(other.tree) && !repo && !other.repo && excludes(other);
  }

  private boolean excludes(LeaseTerms other) {
    return !(shared && other.shared) && !session.equals(other.session) && overlaps(other);
  }

  private boolean overlaps(LeaseTerms other) {
    for (PathPattern mine : paths) {
      if (other.touches(mine)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a pattern overlaps one of these paths. */
  public boolean touches(PathPattern pattern) {
    for (PathPattern path : paths) {
      if (path.overlaps(pattern)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a session that holds these terms needs nothing more for a pattern of the other. */
  public boolean suffices(LeaseTerms other, PathPattern pattern) {
    return session.equals(other.session)
        && (!shared || other.shared)
        && (repo || (tree.equals(other.tree) && !other.repo))
        && paths.stream().anyMatch(path -> path.includes(pattern));
  }

  Json.ObjectBuilder save() {
    Json.ObjectBuilder json =
        Json.object()
            .put("name", name)
            .put("session", session)
            .put("paths", PathPattern.texts(paths))
            .put("shared", shared)
            .put("tree", tree)
            .put("repo", repo)
            .put("ttl", ttl.toSeconds());
    return task == null ? json : json.put("task", task);
  }

  static LeaseTerms load(Fields saved) {
    return new LeaseTerms(
        saved.text("name", ""),
        saved.text("session", ""),
        saved.texts("paths").stream().map(PathPattern::of).toList(),
        saved.flag("shared"),
        saved.text("tree", ""),
        saved.flag("repo"),
        Duration.ofSeconds(saved.number("ttl", 0)),
        saved.text("task"));
  }
}
