package dev.parley.cli.config;

import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.Locale;

/** A setting stored as a line in the ledger, so it is the same for everyone from that line on. */
enum LedgerSetting implements Setting {
  LEASES(
      "leases",
      LeaseScope.REPOSITORY.word(),
      "what a lock covers: repository (all worktrees) or tree") {
    @Override
    String value(Ledger ledger) {
      return ledger.cover().word();
    }

    @Override
    void write(Sessions sessions, String sender, String value) {
      LeaseScope cover = LeaseScope.named(value.toLowerCase(Locale.ROOT));
      if (cover == null) {
        throw Setting.bad(word(), value, "Use repository or tree.");
      }
      sessions.leasesCover(sender, cover);
    }
  },
  CLAIMS_OUTLAST(
      "claims-outlast",
      text(Ledger.CLAIM_AFTER),
      "how long the owner of a task may be silent before the claim ends") {
    @Override
    String value(Ledger ledger) {
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
    String value(Ledger ledger) {
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

  LedgerSetting(String word, String usual, String meaning) {
    this.word = word;
    this.usual = usual;
    this.meaning = meaning;
  }

  @Override
  public String word() {
    return word;
  }

  @Override
  public String usual() {
    return usual;
  }

  @Override
  public String meaning() {
    return meaning;
  }

  @Override
  public String place() {
    return "ledger";
  }

  @Override
  public String read(CommandContext context) {
    // A bus without such a line has the default.
    return context.team().ledger().look(ledger -> ledger.rules() == 0 ? usual : value(ledger));
  }

  @Override
  public void write(CommandContext context, String value) {
    write(context.sessions(), context.session().name(), value);
  }

  /** The ledger's value. */
  abstract String value(Ledger ledger);

  /**
   * Sets the value.
   *
   * @throws ParleyException INVALID if the value is not allowed
   */
  abstract void write(Sessions sessions, String sender, String value);

  /** The form in which it is typed: 90s, 30m, 2h. */
  static String text(Duration time) {
    long seconds = time.toSeconds();
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
