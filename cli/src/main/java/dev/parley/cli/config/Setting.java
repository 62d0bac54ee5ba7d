package dev.parley.cli.config;

import dev.parley.cli.team.CommandContext;
import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.core.ParleyException;
import dev.parley.core.names.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;

/** A setting of a whole bus. */
interface Setting {
  /** Its name on the command line. */
  String word();

  /** Its default. */
  String usual();

  String meaning();

  /** Where it is stored: {@code ledger} or {@code bus.json}. */
  String place();

  /** Its value now. */
  String read(CommandContext context);

  /**
   * Sets the value.
   *
   * @throws ParleyException INVALID if the value is not allowed
   */
  void write(CommandContext context, String value);

  /** All settings of a bus. */
  static List<Setting> all() {
    List<Setting> all = new ArrayList<>(List.of(LedgerSetting.values()));
    for (LedgerLimit limit : LedgerLimit.values()) {
      all.add(new LimitSetting(limit));
    }
    all.addAll(FileSetting.ALL);
    return all;
  }

  /**
   * The setting with a name.
   *
   * @throws ParleyException REFUSED if there is none
   */
  static Setting named(String name) {
    List<Setting> all = all();
    for (Setting each : all) {
      if (each.word().equalsIgnoreCase(name)) {
        return each;
      }
    }
    String nearest = SpellingSuggestion.to(name, all.stream().map(Setting::word).toList());
    throw ParleyException.refused(
        "no-such-setting",
        "There is no setting \"" + name + "\".",
        (nearest == null ? "" : "Did you mean " + nearest + "? ")
            + "List them: parley config list");
  }

  static ParleyException bad(String word, String value, String next) {
    return ParleyException.invalid(
        "bad-setting", "\"" + value + "\" is not a value of " + word + ".", next);
  }
}
