package dev.parley.core.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps views: the saved states of folds, so that the next reader folds only what is new.
 *
 * <p>A view may be dropped at any time. Losing one costs only time. So a view that can't be read
 * counts as missing, and one that can't be saved is no error.
 */
public interface Views {
  /** What was saved last under a name; null if there is nothing. */
  byte @Nullable [] load(String name);

  /** Replaces what is saved under a name, whole or not at all. */
  void save(String name, byte[] content);

  /** Views that last as long as this process. */
  static Views inMemory() {
    Map<String, byte[]> saved = new ConcurrentHashMap<>();
    return new Views() {
      @Override
      public byte @Nullable [] load(String name) {
        return saved.get(name);
      }

      @Override
      public void save(String name, byte[] content) {
        saved.put(name, content.clone());
      }
    };
  }
}
