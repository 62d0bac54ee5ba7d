package dev.parley.core;

import dev.parley.core.json.Json;
import dev.parley.core.names.NameGrammar;

/**
 * What an agent or person is called: as a topic part, but single dots are allowed.
 *
 * <p>Examples: {@code alice}, {@code worker-1.1-x}, {@code CSO}.
 */
public record AgentName(String name) {
  /** The longest name, in characters: it must fit into one part of a topic. */
  public static final int MAX_NAME = Topic.MAX_PART;

  /**
   * Checks the name.
   *
   * @throws ParleyException if the name does not follow the grammar
   */
  public AgentName {
    if (!isValid(name)) {
      throw invalid(name);
    }
  }

  static ParleyException invalid(String name) {
    return ParleyException.invalid(
        "bad-agent-name", Json.object().put("name", NameGrammar.shown(name)).put("most", MAX_NAME));
  }

  public static boolean isValid(String name) {
    return name.length() <= MAX_NAME && NameGrammar.isPieces(name, 0, name.length(), '.');
  }

  /** The name as a part of a topic: dots become {@code ~}. */
  public String topicPart() {
    return name.replace('.', '~');
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
