package dev.parley.session;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the calling process.
 *
 * @param as the name that was given for this call alone; null if none was
 * @param environment the variables; a server whose host tells it the host's session by other means
 *     adds it under the variable that commands of this host have it in
 * @param folder where it was called
 */
public record Caller(@Nullable String as, Map<String, String> environment, Path folder) {
  /** Names the agent for a whole shell. */
  public static final String AGENT = "PARLEY_AGENT";

  /** Holds the token of a session. */
  public static final String SESSION = "PARLEY_SESSION";

  /** The name that was given; null if none was. */
  @Nullable String name() {
    return as != null ? as : variable(AGENT);
  }

  @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
