package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.core.json.Json;
import java.time.Duration;

/**
 * What lines of type {@code rules} have set: the rules in force, the limits, how long agents may be
 * silent, and where leases apply.
 *
 * <p>Each setting remembers the position of the line that set it. Undoing that line restores the
 * default.
 */
final class LedgerSettings {
  /** The first rules under which the boot clock drives the time. */
  private static final long OF_BOOT_CLOCK = 2;

  /**
   * The first rules under which names can be taken over, leases cover the repository, and a claim
   * takes its files.
   */
  private static final long OF_DAILY_USE = 3;

  /** The first rules under which a claim keeps its files, whichever lease they are in. */
  private static final long OF_KEPT_FILES = 4;

  private final RulesInForce rules = new RulesInForce();
  private final LedgerLimits limits = new LedgerLimits();

  private Duration staleAfter = Ledger.STALE_AFTER;
  private Duration claimAfter = Ledger.CLAIM_AFTER;
  private LeaseScope cover = LeaseScope.REPOSITORY;

  /**
   * Invariant: each field ending in {@code At} is the position of the line that set the value, or
   * 0.
   */
  private long staleAfterAt;

  private long limitsAt;
  private long claimAfterAt;
  private long coverAt;

  /** Sets what a {@code rules} line names; values out of range are ignored. */
  void set(Fields payload, long position) {
    rules.say(payload.number("rules", 0), position);
    limits.follow(rules.number());
    if (!payload.object("limits").values().isEmpty()) {
      limits.set(payload.object("limits"));
      limitsAt = position;
    }
    long seconds = payload.number("staleAfter", -1);
    if (isSilence(seconds)) {
      staleAfter = Duration.ofSeconds(seconds);
      staleAfterAt = position;
    }
    long claims = payload.number("claimAfter", -1);
    if (isSilence(claims)) {
      claimAfter = Duration.ofSeconds(claims);
      claimAfterAt = position;
    }
    LeaseScope said = LeaseScope.named(payload.text("leases"));
    if (said != null) {
      cover = said;
      coverAt = position;
    }
  }

  private static boolean isSilence(long seconds) {
    return seconds >= Ledger.LEAST_STALE.toSeconds() && seconds <= Ledger.MOST_STALE.toSeconds();
  }

  /** Restores the defaults of what a line has set; false if it has set nothing. */
  boolean undo(long position) {
    boolean undone = rules.undo(position);
    limits.follow(rules.number());
    if (limitsAt == position) {
      limits.reset();
      limitsAt = 0;
      undone = true;
    }
    if (staleAfterAt == position) {
      staleAfter = Ledger.STALE_AFTER;
      staleAfterAt = 0;
      undone = true;
    }
    if (claimAfterAt == position) {
      claimAfter = Ledger.CLAIM_AFTER;
      claimAfterAt = 0;
      undone = true;
    }
    if (coverAt == position) {
      cover = LeaseScope.REPOSITORY;
      coverAt = 0;
      undone = true;
    }
    return undone;
  }

  /** The rules in force; 0 if no line has set any. */
  long rules() {
    return rules.number();
  }

  /** The position of the line that put these rules in force; 0 if no line has set any. */
  long rulesAt() {
    return rules.position();
  }

  LedgerLimits limits() {
    return limits;
  }

  boolean areOfBootClock() {
    return rules.number() >= OF_BOOT_CLOCK;
  }

  boolean areOfDailyUse() {
    return rules.number() >= OF_DAILY_USE;
  }

  boolean keepClaimedFiles() {
    return rules.number() >= OF_KEPT_FILES;
  }

  /** How long a session may be silent before its name is free. */
  Duration staleAfter() {
    return staleAfter;
  }

  /** How long the owner of a task may be silent before its claim ends. */
  Duration claimAfter() {
    return areOfDailyUse() ? claimAfter : staleAfter;
  }

  /** The cover of a lease that does not name one. */
  LeaseScope cover() {
    return areOfDailyUse() ? cover : LeaseScope.TREE;
  }

  /** Saves the settings that only some ledgers have. */
  void saveOptional(Json.ObjectBuilder json) {
    if (claimAfterAt != 0) {
      json.put("claimAfter", claimAfter.toSeconds()).put("claimAfterAt", claimAfterAt);
    }
    if (coverAt != 0) {
      json.put("leasesCover", cover.word()).put("leasesCoverAt", coverAt);
    }
  }

  /** Saves the settings that every ledger has. */
  void save(Json.ObjectBuilder json) {
    json.put("rules", rules.number())
        .put("rulesSaid", rules.save())
        .put("staleAfter", staleAfter.toSeconds())
        .put("staleAfterAt", staleAfterAt)
        .put("limits", limits.save())
        .put("limitsAt", limitsAt);
  }

  void load(Fields saved) {
    rules.load(saved.items("rulesSaid"));
    staleAfterAt = saved.number("staleAfterAt", 0);
    limitsAt = saved.number("limitsAt", 0);
    claimAfter = Duration.ofSeconds(saved.number("claimAfter", Ledger.CLAIM_AFTER.toSeconds()));
    claimAfterAt = saved.number("claimAfterAt", 0);
    LeaseScope said = LeaseScope.named(saved.text("leasesCover"));
    cover = said == null ? LeaseScope.REPOSITORY : said;
    coverAt = saved.number("leasesCoverAt", 0);
    limits.follow(rules.number());
    limits.set(saved.object("limits"));
    staleAfter = Duration.ofSeconds(saved.number("staleAfter", Ledger.STALE_AFTER.toSeconds()));
  }
}
