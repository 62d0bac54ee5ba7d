package dev.parley.dialects.testing;

import dev.parley.core.json.Json;
import dev.parley.dialects.swarm.SwarmMessage;

/** Messages as a foreign tool writes them. */
public final class SwarmTool {
  private SwarmTool() {}

  public static SwarmMessage message(String id, String from, String to) {
    return new SwarmMessage(
        Json.parse(
            """
            {"id":"%s","timestamp":"2024-01-01T00:00:00.000Z","from":"%s","to":"%s","type":"task",
             "priority":"normal","content":{"subject":"s","body":"b"},"requiresResponse":false}\
            """
                .formatted(id, from, to)));
  }

  /** What an agent writes who answers a message in its thread. */
  public static SwarmMessage answer(String id, String from, SwarmMessage question) {
    return new SwarmMessage(
        Json.parse(
            """
            {"id":"%s","timestamp":"2024-01-01T00:00:00.000Z","from":"%s","to":"%s",
             "type":"result","priority":"normal","content":{"subject":"s","body":"answered"},
             "threadId":"%s","requiresResponse":false}\
            """
                .formatted(id, from, question.from(), question.threadId())));
  }
}
