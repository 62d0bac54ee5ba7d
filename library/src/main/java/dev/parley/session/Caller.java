package dev.parley.session;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the calling process.
 *
 * @param as the name that was given for this call only; null if none was
 * @param environment the environment variables. A server that learns its host's session in another
 *     way adds it as the variable that commands of this host have
 * @param folder the working folder
 */
public record Caller(@Nullable String as, Map<String, String> environment, Path folder) {
  /** Names the agent for a whole shell. */
  public static final String AGENT = "PARLEY_AGENT";

  /** Holds the token of a session. */
  public static final String SESSION = "PARLEY_SESSION";

  /** The name that was given for this call or for the shell; null if none was. */
  @Nullable String name() {
    return as != null ? as : variable(AGENT);
  }

  @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
