package dev.parley.dialects.swarm;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.swarm.database.MessageRow;
import dev.parley.dialects.swarm.database.SwarmDatabase;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages in the database of a {@code .swarm} folder, under a session.
 *
 * <p>That the session is known is checked before anything is delivered. Once it is delivered no
 * trouble with the database undoes or hides that: it is told beside it.
 */
public final class MessagePersistence {
  private final Path swarm;
  private final String session;

  /** Why the database could not be asked before the delivery; null if it could. */
  private final @Nullable String trouble;

  private MessagePersistence(Path swarm, String session, @Nullable String trouble) {
    this.swarm = swarm;
    this.session = session;
    this.trouble = trouble;
  }

  /**
   * To be called before a delivery.
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
      return new MessagePersistence(swarm, session, e.what());
    }
  }

  /**
   * Keeps messages that were delivered.
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
      return e.what();
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

  /** What a row says; what the design does not know becomes what its own program makes of it. */
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
      // Whatever it is, it is no content.
    }
    return Json.object().put("subject", "").put("body", "").build();
  }
}
