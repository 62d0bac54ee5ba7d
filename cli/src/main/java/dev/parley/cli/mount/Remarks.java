package dev.parley.cli.mount;

import dev.parley.cli.terminal.Notices;
import dev.parley.dialects.Remark;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Tells of each thing in a foreign file that is not as it should be, once. */
final class Remarks {
  private Remarks() {}

  static Consumer<Remark> to(Notices notices) {
    Set<Remark> told = new HashSet<>();
    return remark -> {
      if (told.add(remark)) {
        notices.say(remark.describe());
      }
    };
  }
}
