package dev.parley.coordination.ledger;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of the rules that lines of the ledger have stated, each with the first line that
 * stated it.
 */
final class RulesInForce {
  /** How many numbers are kept: the least ones, and the greatest. */
  private static final int MOST = 32;

  private final TreeMap<Long, Long> said = new TreeMap<>();

  void say(long number, long position) {
    if (number > 0 && said.putIfAbsent(number, position) == null && said.size() > MOST) {
      Long last = said.lowerKey(said.lastKey());
      said.remove(last);
    }
  }

  /** The greatest number that counts; 0 if no line has stated any. */
  long number() {
    return said.isEmpty() ? 0 : said.lastKey();
  }

  /** The line that stated the number in force; 0 if there is none. */
  long position() {
    return said.isEmpty() ? 0 : said.lastEntry().getValue();
  }

  /**
   * Drops the number that a line has stated, unless it is the only one; false if there was none to
   * drop.
   */
  boolean undo(long position) {
    return said.size() > 1 && said.values().removeIf(at -> at == position);
  }

  Json save() {
    List<Json> items = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : said.entrySet()) {
      items.add(Json.of(entry.getKey()));
      items.add(Json.of(entry.getValue()));
    }
    return Json.of(items);
  }

  void load(List<Json> saved) {
    for (int i = 0; i + 1 < saved.size(); i += 2) {
      said.put(saved.get(i).number(0), saved.get(i + 1).number(0));
    }
  }
}
