package dev.parley.coordination.path;

import java.util.List;

/**
 * What comparing a set of patterns costs, in characters after brace expansion. Two plain paths are
 * compared at once, so only pairs with a wildcard in one of them count.
 *
 * @param all of all paths
 * @param wild of those with wildcards
 */
public record ComparisonCost(long all, long wild) {
  public static ComparisonCost of(List<PathPattern> paths) {
    long all = 0;
    long wild = 0;
    for (PathPattern path : paths) {
      all += path.length();
      wild += path.isPlain() ? 0 : path.length();
    }
    return new ComparisonCost(all, wild);
  }

  /** How many steps comparing these with those takes at most. */
  public long times(ComparisonCost other) {
    return wild * other.all + (all - wild) * other.wild;
  }
}
