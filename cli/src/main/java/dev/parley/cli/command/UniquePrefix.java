package dev.parley.cli.command;

import dev.parley.core.ParleyException;
import java.util.Collection;
import java.util.List;

/** Abbreviated ids: a prefix is enough if it fits only one id. */
public final class UniquePrefix {
  private static final int SHOWN = 3;

  private UniquePrefix() {}

  /**
   * The id that was meant. What nothing begins with is returned as it was typed: whoever looks for
   * it says that it is not there.
   *
   * @param what what has these ids, in the plural
   * @throws ParleyException INVALID if several begin like that and none is exactly that
   */
  public static String of(String what, String typed, Collection<String> ids) {
    if (typed.isEmpty() || ids.contains(typed)) {
      return typed;
    }
    List<String> found = ids.stream().filter(id -> id.startsWith(typed)).toList();
    if (found.size() > 1) {
      throw ParleyException.invalid(
          "ambiguous-id",
          found.size() + " " + what + " have ids that begin with " + typed + ".",
          "Type more of the id: "
              + String.join(", ", found.subList(0, Math.min(SHOWN, found.size())))
              + ".");
    }
    return found.isEmpty() ? typed : found.getFirst();
  }
}
