package dev.parley.coordination.lease;

import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.path.PathPattern.Alternative;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Leases by the folders that their patterns begin with, so that only near ones are compared. */
final class PathIndex {
  private final TreeMap<String, SequencedMap<Long, Lease>> byPrefix = new TreeMap<>();

  void add(Lease lease) {
    for (String prefix : prefixes(lease.paths())) {
      byPrefix.computeIfAbsent(prefix, key -> new TreeMap<>()).put(lease.token(), lease);
    }
  }

  void remove(Lease lease) {
    for (String prefix : prefixes(lease.paths())) {
      Map<Long, Lease> there = byPrefix.get(prefix);
      if (there != null) {
        there.remove(lease.token());
        if (there.isEmpty()) {
          byPrefix.remove(prefix);
        }
      }
    }
  }

  /** Calls back with every lease that may overlap one of the patterns; some are named twice. */
  void near(List<PathPattern> patterns, Consumer<Lease> found) {
    for (String prefix : prefixes(patterns)) {
      for (int slash = -1; slash < prefix.length() - 1; ) {
        // Leases with a shorter prefix: those of this folder and of the folders above it.
        Map<Long, Lease> above = byPrefix.get(prefix.substring(0, slash + 1));
        if (above != null) {
          above.values().forEach(found);
        }
        slash = prefix.indexOf('/', slash + 1);
      }
      for (Map.Entry<String, SequencedMap<Long, Lease>> below :
          byPrefix.tailMap(prefix, true).entrySet()) {
        if (!below.getKey().startsWith(prefix)) {
          break;
        }
        below.getValue().values().forEach(found);
      }
    }
  }

  private static List<String> prefixes(List<PathPattern> patterns) {
    List<String> prefixes = new ArrayList<>();
    for (PathPattern pattern : patterns) {
      for (Alternative alternative : pattern.alternatives()) {
        if (!prefixes.contains(alternative.prefix())) {
          prefixes.add(alternative.prefix());
        }
      }
    }
    return prefixes;
  }
}
