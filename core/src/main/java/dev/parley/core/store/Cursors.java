package dev.parley.core.store;

import dev.parley.core.AgentName;
import dev.parley.core.Bookmark;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.names.NameGrammar;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps named cursors: for each topic of a subscription, the place after what it has dealt with.
 *
 * <p>A cursor is for one subscription at a time. A crash may lose the latest save; then envelopes
 * are delivered again, never skipped.
 */
public interface Cursors {
  /** The places saved under a name; empty if there are none. */
  Map<Topic, Bookmark> load(String name);

  /** Replaces what is saved under a name, whole or not at all. */
  void save(String name, Map<Topic, Bookmark> places);

  /** Cursors that last as long as this process. */
  static Cursors inMemory() {
    Map<String, Map<Topic, Bookmark>> saved = new ConcurrentHashMap<>();
    return new Cursors() {
      @Override
      public Map<Topic, Bookmark> load(String name) {
        return saved.getOrDefault(checkName(name), Map.of());
      }

      @Override
      public void save(String name, Map<Topic, Bookmark> places) {
        saved.put(checkName(name), Map.copyOf(places));
      }
    };
  }

  /**
   * A cursor is called like an agent, which often is who reads.
   *
   * @throws ParleyException if the name does not follow the grammar
   */
  static String checkName(String name) {
    if (!AgentName.isValid(name)) {
      throw ParleyException.invalid(
          "bad-cursor-name", Json.object().put("name", NameGrammar.shown(name)));
    }
    return name;
  }
}
