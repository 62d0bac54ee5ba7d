package dev.parley.orchestration.moderate;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far a project is.
 *
 * <pre>
 * initializing ──▶ decomposing ──▶ executing ──▶ improving ──▶ completed
 *                      │   │           │
 *                      │   └───────────┴──▶ failed      resumed: back to where it failed
 *                      └──▶ cancelled                   resumed: asked again
 * </pre>
 */
public enum ProjectPhase {
  INITIALIZING,
  DECOMPOSING,
  EXECUTING,
  IMPROVING,
  COMPLETED,
  FAILED,
  CANCELLED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isOver() {
    return this == COMPLETED || this == FAILED || this == CANCELLED;
  }

  static @Nullable ProjectPhase of(String word) {
    for (ProjectPhase phase : values()) {
      if (phase.word().equals(word)) {
        return phase;
      }
    }
    return null;
  }
}
