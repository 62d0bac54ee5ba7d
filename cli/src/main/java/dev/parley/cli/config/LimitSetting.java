package dev.parley.cli.config;

import dev.parley.cli.team.CommandContext;
import dev.parley.coordination.fold.LedgerLimit;

/** A limit on what the ledger may hold, so that no line takes long to apply. */
record LimitSetting(LedgerLimit limit) implements Setting {
  @Override
  public String word() {
    return "max-" + limit.field();
  }

  @Override
  public String usual() {
    return Long.toString(limit.usual());
  }

  @Override
  public String meaning() {
    return "maximum number of " + limit.meaning();
  }

  @Override
  public String place() {
    return "ledger";
  }

  @Override
  public String read(CommandContext context) {
    return Long.toString(context.team().ledger().look(ledger -> ledger.limits().get(limit)));
  }

  @Override
  public void write(CommandContext context, String value) {
    long number;
    try {
      number = Long.parseLong(value);
    } catch (NumberFormatException e) {
      number = 0;
    }
    if (number < LedgerLimit.LEAST || number > LedgerLimit.MOST) {
      throw Setting.bad(
          word(), value, "Use " + LedgerLimit.LEAST + " to " + LedgerLimit.MOST + ".");
    }
    context.sessions().limit(context.session().name(), limit, number);
  }
}
