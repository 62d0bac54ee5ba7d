package dev.parley.core.store;

import dev.parley.core.AgentName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the secret of each agent's session, for the programs that come back to it. Whoever has the
 * secret speaks for the session, so it is readable by its owner only.
 */
public interface SessionSecrets {
  /** The secret of the session that has a name; null if none is kept. */
  @Nullable String secret(String name);

  /** Keeps the secret of a new session unless there is one; answers the one that is kept then. */
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
