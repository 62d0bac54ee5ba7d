package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What the ledger has come to: its time, its rules, and who is here.
 *
 * <p>For every native envelope time moves first, then the envelope takes effect. Foreign envelopes
 * decide nothing, unknown types are passed over. Under rules that this program does not know it
 * reads on, but {@link #checkRules} refuses to decide anything.
 */
public final class Ledger implements Fold {
  public static final Topic TOPIC = new Topic("ledger");

  /** The rules that this program knows. */
  public static final long RULES = 1;

  /** How long a session may be silent before its name is free. */
  public static final Duration STALE_AFTER = Duration.ofMinutes(10);

  /** The shortest and longest silence that can be set. */
  public static final Duration LEAST_STALE = Duration.ofSeconds(1);

  public static final Duration MOST_STALE = Duration.ofDays(365);

  private final FoldTime time;
  private final Roster roster;
  private long rules;
  private Duration staleAfter = STALE_AFTER;

  public Ledger() {
    this(new FoldTime(), new Roster());
  }

  private Ledger(FoldTime time, Roster roster) {
    this.time = time;
    this.roster = roster;
  }

  /** How the ledger is folded. */
  public static final Fold.Kind<Ledger> KIND =
      new Fold.Kind<>() {
        @Override
        public String view() {
          return "ledger";
        }

        @Override
        public List<Topic> topics() {
          return List.of(TOPIC);
        }

        @Override
        public Ledger begin() {
          return new Ledger();
        }

        @Override
        public Ledger load(Json saved) {
          return Ledger.load(Fields.of(saved));
        }
      };

  @Override
  public void apply(Envelope envelope, Position after) {
    if (!envelope.isNative()) {
      return;
    }
    Duration back = time.see(envelope);
    if (back.isPositive()) {
      roster.moveBack(back);
    }
    Instant now = time.now();
    if (envelope.type().equals(LedgerTypes.RULES)) {
      applyRules(Fields.of(envelope.payload()));
    } else if (now != null && rules <= RULES) {
      roster.apply(envelope, now, staleAfter);
    }
  }

  private void applyRules(Fields payload) {
    rules = Math.max(rules, payload.number("rules", 0));
    long seconds = payload.number("staleAfter", -1);
    if (seconds >= LEAST_STALE.toSeconds() && seconds <= MOST_STALE.toSeconds()) {
      staleAfter = Duration.ofSeconds(seconds);
    }
  }

  public FoldTime time() {
    return time;
  }

  public Roster roster() {
    return roster;
  }

  /** The rules in force; 0 if nobody has said yet. */
  public long rules() {
    return rules;
  }

  public Duration staleAfter() {
    return staleAfter;
  }

  /**
   * Refuses to decide under rules that this program does not know.
   *
   * @throws ParleyException REFUSED
   */
  public void checkRules() {
    if (rules > RULES) {
      throw ParleyException.refused(
          "unknown-rules",
          "This bus follows rules " + rules + "; this program knows " + RULES + " and older.",
          "Use a newer parley. Reading is still possible: parley tail.");
    }
  }

  @Override
  public Json save() {
    return Json.object()
        .put("time", time.save())
        .put("roster", roster.save())
        .put("rules", rules)
        .put("staleAfter", staleAfter.toSeconds())
        .build();
  }

  private static Ledger load(Fields saved) {
    Ledger ledger =
        new Ledger(FoldTime.load(saved.object("time")), Roster.load(saved.object("roster")));
    ledger.rules = saved.number("rules", 0);
    ledger.staleAfter = Duration.ofSeconds(saved.number("staleAfter", STALE_AFTER.toSeconds()));
    return ledger;
  }
}
