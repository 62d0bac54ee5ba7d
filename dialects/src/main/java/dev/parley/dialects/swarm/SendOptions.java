package dev.parley.dialects.swarm;

import dev.parley.core.ParleyException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a message is kept in the database as well.
 *
 * @param sessionId the session that it is kept under
 */
public record SendOptions(boolean persistToDb, @Nullable String sessionId) {
  public static final SendOptions NONE = new SendOptions(false, null);

  /** Options to keep a message under this session. */
  public static SendOptions keptIn(String sessionId) {
    return new SendOptions(true, sessionId);
  }

  /**
   * The session to keep a message under; null if it is not to be kept.
   *
   * @throws ParleyException INVALID if it is to be kept but no session is given
   */
  @Nullable String session(@Nullable String inputSession) {
    if (!persistToDb) {
      return null;
    }
    String session = sessionId != null ? sessionId : inputSession;
    if (session == null || session.isBlank()) {
      throw ParleyException.invalid(
          "no-session-id",
          "sessionId is required when persistToDb is true",
          "Give the session id of the orchestrator, or send without persistToDb.");
    }
    return session;
  }
}
