package dev.parley.coordination.path;

import java.util.List;

/**
 * The size of a set of patterns, from which the cost of comparing it follows. In characters after
 * brace expansion. Comparing two plain paths costs almost nothing, so only pairs with a wildcard
 * count.
 *
 * @param all the size of all patterns
 * @param wild the size of those with wildcards
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

  /** The most steps that comparing two sets can take. */
  public long times(ComparisonCost other) {
    return wild * other.all + (all - wild) * other.wild;
  }
}
