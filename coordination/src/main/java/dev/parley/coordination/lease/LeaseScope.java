package dev.parley.coordination.lease;

import org.jspecify.annotations.Nullable;

/** The working trees in which a lease keeps other agents off its paths. */
public enum LeaseScope {
  /**
   * Every working tree of the repository, so that two agents do not change one file and meet at the
   * merge.
   */
  REPOSITORY("repository"),
  /** Only the working tree in which the lease was taken. */
  TREE("tree");

  private final String word;

  LeaseScope(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** The cover of this word; null if there is none. */
  public static @Nullable LeaseScope named(@Nullable String word) {
    for (LeaseScope cover : values()) {
      if (cover.word.equals(word)) {
        return cover;
      }
    }
    return null;
  }
}
