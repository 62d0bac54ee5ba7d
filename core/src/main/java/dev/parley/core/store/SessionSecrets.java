package dev.parley.core.store;

import dev.parley.core.AgentName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the secret of each agent's session, for the programs that continue it. A program with the
 * secret speaks for the session, so only the session's owner may read it.
 */
public interface SessionSecrets {
  /** The secret of the session that has a name; null if none is kept. */
  @Nullable String secret(String name);

  /**
   * Keeps the secret of a new session unless one is kept already; returns the secret that is kept.
   */
  String keep(String name, String secret);

  /** Keeps the secret of a session in place of the one before. */
  void replace(String name, String secret);

  /** Secrets that last as long as this process. */
  static SessionSecrets inMemory() {
    Map<String, String> kept = new ConcurrentHashMap<>();
    return new SessionSecrets() {
      @Override
      public @Nullable String secret(String name) {
        return kept.get(new AgentName(name).name());
      }

      @Override
      public String keep(String name, String secret) {
        String before = kept.putIfAbsent(new AgentName(name).name(), secret);
        return before == null ? secret : before;
      }

      @Override
      public void replace(String name, String secret) {
        kept.put(new AgentName(name).name(), secret);
      }
    };
  }
}
