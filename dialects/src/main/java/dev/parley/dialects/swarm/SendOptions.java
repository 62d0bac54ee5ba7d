package dev.parley.dialects.swarm;

import dev.parley.core.ParleyException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a message is kept in a database, too.
 *
 * @param sessionId what the database files it under
 */
public record SendOptions(boolean persistToDb, @Nullable String sessionId) {
  public static final SendOptions NONE = new SendOptions(false, null);

  /** Refuses what can't be done, before anything is delivered. */
  void check(@Nullable String inputSession) {
    if (!persistToDb) {
      return;
    }
    String session = sessionId != null ? sessionId : inputSession;
    if (session == null || session.isEmpty()) {
      throw ParleyException.invalid(
          "no-session-id",
          "sessionId is required when persistToDb is true",
          "Give the session id of the orchestrator, or send without persistToDb.");
    }
    throw ParleyException.refused(
        "no-database",
        "Messages can't be kept in a database yet. Nothing was sent.",
        "Send without persistToDb: what is mounted on a bus stays in its log.");
  }
}
