package dev.parley.coordination.lease;

import org.jspecify.annotations.Nullable;

/** In which working trees a lease keeps others off its paths. */
public enum Cover {
  /** In all of the repository's: two agents shall not change one file and meet at the merge. */
  REPOSITORY("repository"),
  /** In the one that it was taken in. */
  TREE("tree");

  private final String word;

  Cover(String word) {
    this.word = word;
  }

  /** How it is written. */
  public String word() {
    return word;
  }

  /** The one of a word; null if there is none. */
  public static @Nullable Cover named(@Nullable String word) {
    for (Cover cover : values()) {
      if (cover.word.equals(word)) {
        return cover;
      }
    }
    return null;
  }
}
