package dev.parley.dialects.swarm;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.swarm.database.MessageRow;
import dev.parley.dialects.swarm.database.SwarmDatabase;
import dev.parley.text.Explanation;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages in the database of a {@code .swarm} folder, under a session.
 *
 * <p>The session is checked before anything is delivered. After the delivery, a failure of the
 * database does not undo it: the failure is reported beside it.
 */
public final class MessagePersistence {
  private final Path swarm;
  private final String session;

  /** Why the database could not be read before the delivery; null if it could. */
  private final @Nullable String trouble;

  private MessagePersistence(Path swarm, String session, @Nullable String trouble) {
    this.swarm = swarm;
    this.session = session;
    this.trouble = trouble;
  }

  /**
   * Checks the session. Call this before a delivery.
   *
   * @throws ParleyException REFUSED if there is no such session
   */
  public static MessagePersistence under(Path swarm, String session) {
    try {
      SwarmDatabase.checkSession(swarm, session);
      return new MessagePersistence(swarm, session, null);
    } catch (ParleyException e) {
      if (e.kind() == ParleyException.Kind.REFUSED) {
        throw e;
      }
      return new MessagePersistence(swarm, session, Explanation.messageOf(e));
    }
  }

  /**
   * Keeps delivered messages.
   *
   * @return why they could not be kept; null if they are
   */
  public @Nullable String keep(List<SwarmMessage> messages) {
    if (trouble != null) {
      return trouble;
    }
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      messages.forEach(message -> database.keep(session, row(message)));
      return null;
    } catch (ParleyException e) {
      return Explanation.messageOf(e);
    }
  }

  private static MessageRow row(SwarmMessage message) {
    return new MessageRow(
        message.id(),
        message.threadId(),
        message.from(),
        message.to(),
        message.type(),
        message.priority(),
        message.content().toString(),
        message.timestamp(),
        message.requiresResponse(),
        message.deadline());
  }

  /**
   * The message of a row. Values that Swarm does not know become what Swarm's own program makes of
   * them.
   */
  static SwarmMessage message(MessageRow row) {
    boolean typed = SwarmMessage.TYPES.contains(row.type());
    boolean ranked = SwarmMessage.PRIORITIES.contains(row.priority());
    Json.ObjectBuilder json =
        Json.object()
            .put("id", row.id())
            .put("timestamp", row.createdAt())
            .put("from", row.from())
            .put("to", row.to())
            .put("type", typed ? row.type() : "status")
            .put("priority", ranked ? row.priority() : "normal")
            .put("content", content(row.content()));
    if (row.thread() != null) {
      json.put("threadId", row.thread());
    }
    json.put("requiresResponse", row.requiresResponse());
    if (row.deadline() != null) {
      json.put("deadline", row.deadline());
    }
    return new SwarmMessage(json.build());
  }

  private static Json content(String text) {
    try {
      Json content = Json.parse(text);
      if (content.isObject()) {
        return content;
      }
    } catch (JsonException e) {
      // Not JSON, so no content.
    }
    return Json.object().put("subject", "").put("body", "").build();
  }
}
