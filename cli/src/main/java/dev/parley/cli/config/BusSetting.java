package dev.parley.cli.config;

import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.Cover;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A setting of a bus: a line in its ledger, so it is the same for everyone. */
enum BusSetting {
  LEASES(
      "leases", Cover.REPOSITORY.word(), "what a lock covers: repository (all worktrees) or tree") {
    @Override
    String read(Ledger ledger) {
      return ledger.cover().word();
    }

    @Override
    void write(Sessions sessions, String sender, String value) {
      Cover cover = Cover.named(value.toLowerCase(Locale.ROOT));
      if (cover == null) {
        throw bad(value, "Use repository or tree.");
      }
      sessions.leasesCover(sender, cover);
    }
  },
  CLAIMS_OUTLAST(
      "claims-outlast",
      text(Ledger.CLAIM_AFTER),
      "how long the owner of a task may be silent before the claim ends") {
    @Override
    String read(Ledger ledger) {
      return text(ledger.claimAfter());
    }

    @Override
    void write(Sessions sessions, String sender, String value) {
      sessions.claimsOutlast(sender, Times.duration(word(), value));
    }
  },
  STALE_AFTER(
      "stale-after",
      text(Ledger.STALE_AFTER),
      "how long a session may be silent before its name is free") {
    @Override
    String read(Ledger ledger) {
      return text(ledger.staleAfter());
    }

    @Override
    void write(Sessions sessions, String sender, String value) {
      sessions.staleAfter(sender, Times.duration(word(), value));
    }
  };

  private final String word;
  private final String usual;
  private final String meaning;

  BusSetting(String word, String usual, String meaning) {
    this.word = word;
    this.usual = usual;
    this.meaning = meaning;
  }

  /** How it is called. */
  String word() {
    return word;
  }

  /** What it is unless somebody sets it. */
  String usual() {
    return usual;
  }

  String meaning() {
    return meaning;
  }

  /** What it is now; a bus without a line has what is usual. */
  String value(Ledger ledger) {
    return ledger.rules() == 0 ? usual : read(ledger);
  }

  /** What the ledger says. */
  abstract String read(Ledger ledger);

  /**
   * Sets it.
   *
   * @throws ParleyException INVALID if it can't be that
   */
  abstract void write(Sessions sessions, String sender, String value);

  ParleyException bad(String value, String next) {
    return ParleyException.invalid("bad-setting", word + " can't be \"" + value + "\".", next);
  }

  /**
   * The setting of this name.
   *
   * @throws ParleyException INVALID if there is none
   */
  static BusSetting named(String name) {
    for (BusSetting each : values()) {
      if (each.word.equalsIgnoreCase(name)) {
        return each;
      }
    }
    throw ParleyException.invalid(
        "no-such-setting",
        "There is no setting \"" + name + "\".",
        "Use one of: "
            + Arrays.stream(values()).map(BusSetting::word).collect(Collectors.joining(", "))
            + ".");
  }

  /** As it is typed: 90s, 30m, 2h. */
  static String text(Duration time) {
    long seconds = time.toSeconds();
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
