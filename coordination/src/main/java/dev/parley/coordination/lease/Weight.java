package dev.parley.coordination.lease;

import java.util.List;

/**
 * How much there is to compare, in characters with braces written out. Two plain paths are compared
 * at once, so only pairs with a wildcard in one of them count.
 *
 * @param all of all paths
 * @param wild of those with wildcards
 */
public record Weight(long all, long wild) {
  static Weight of(List<PathPattern> paths) {
    long all = 0;
    long wild = 0;
    for (PathPattern path : paths) {
      all += path.length();
      wild += path.isPlain() ? 0 : path.length();
    }
    return new Weight(all, wild);
  }

  /** How many steps comparing these with those takes at most. */
  long times(Weight other) {
    return wild * other.all + (all - wild) * other.wild;
  }
}
