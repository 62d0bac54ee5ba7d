package dev.parley.orchestration.consensus;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Labels for the agents: letters drawn once a session, and for each reader a different order of the
 * others. Names and fixed positions would bias the readers.
 */
final class BlindLabels {
  private final List<String> agents;
  private final boolean named;
  private final long seed;
  private final Map<String, String> labels = new LinkedHashMap<>();

  BlindLabels(List<String> agents, boolean named, long seed) {
    this.agents = List.copyOf(agents);
    this.named = named;
    this.seed = seed;
    List<String> drawn = new ArrayList<>(agents);
    if (!named) {
      Collections.shuffle(drawn, new Random(seed));
    }
    for (int i = 0; i < drawn.size(); i++) {
      labels.put(drawn.get(i), named ? drawn.get(i) : letter(i));
    }
  }

  private static String letter(int index) {
    String letter = Character.toString('A' + index % 26);
    return index < 26 ? letter : letter + (index / 26 + 1);
  }

  String of(String agent) {
    return labels.getOrDefault(agent, agent);
  }

  /**
   * All agents but the reader, in the reader's order. The chairman is not among them and sees all.
   */
  List<String> others(String reader) {
    List<String> others = new ArrayList<>(agents);
    others.remove(reader);
    if (!named) {
      Collections.shuffle(others, new Random(seed + 31L * (1 + agents.indexOf(reader))));
    }
    return others;
  }

  /** The drawn labels and orders. */
  Json toJson() {
    Json.ObjectBuilder letters = Json.object();
    labels.forEach((agent, label) -> letters.put(label, agent));
    Json.ObjectBuilder orders = Json.object();
    for (String agent : agents) {
      orders.put(agent, Json.ofStrings(others(agent).stream().map(this::of).toList()));
    }
    orders.put("chairman", Json.ofStrings(others("").stream().map(this::of).toList()));
    return Json.object().put("labels", letters.build()).put("orders", orders.build()).build();
  }
}
