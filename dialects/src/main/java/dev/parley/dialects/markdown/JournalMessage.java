package dev.parley.dialects.markdown;

import dev.parley.core.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message of a journal.
 *
 * @param messageId empty if there is none, as in files older than ids
 * @param type as written; {@link JournalType} has those that we write
 * @param more the front matter fields that the format does not name, in order
 * @param body without the blank lines around it
 */
public record JournalMessage(
    String messageId,
    String type,
    String agent,
    String timestamp,
    @Nullable String runId,
    @Nullable String taskId,
    @Nullable String relatesTo,
    List<String> files,
    List<String> artifacts,
    Map<String, String> more,
    String body) {

  public JournalMessage {
    files = List.copyOf(files);
    artifacts = List.copyOf(artifacts);
    more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  /** The JSON for programs, with the format's own names. */
  public Json toJson() {
    Json.ObjectBuilder json =
        Json.object()
            .put("messageId", messageId)
            .put("type", type)
            .put("agent", agent)
            .put("timestamp", timestamp)
            .put("runId", runId)
            .put("taskId", taskId)
            .put("relatesTo", relatesTo)
            .put("files", Json.ofStrings(files))
            .put("artifacts", Json.ofStrings(artifacts));
    more.forEach((name, value) -> json.put(name, value));
    return json.put("body", body).build();
  }
}
