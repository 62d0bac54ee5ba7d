package dev.parley.coordination.ledger;

import dev.parley.coordination.roster.Member;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent is here and what it does, as the ledger shows it. The agent's own last word may
 * be old.
 *
 * @param silence the time since the agent's last envelope
 * @param task the task that it claimed last and still has; null if it has none
 * @param progress of that task in percent; -1 if not stated
 * @param tasks all tasks that it has claimed
 */
public record Activity(
    Presence presence,
    Duration silence,
    Doing doing,
    @Nullable Task task,
    int progress,
    List<Task> tasks) {

  /** Whether an agent is here, quiet or gone. */
  public enum Presence {
    /** It wrote something lately. */
    HERE,
    /** It has not written for a while. */
    QUIET,
    /** It has left. */
    GONE;

    /** The word for it: its name in small letters. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What an agent does. */
  public enum Doing {
    WORKING,
    /** Its task waits for something. */
    BLOCKED,
    IDLE;

    /** The word for it: its name in small letters. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An agent counts as here for the time after which it is stale, divided by this. */
  private static final int LATELY_PER_STALE = 2;

  /**
   * The activity of a member.
   *
   * @param now the ledger's time
   */
  public static Activity of(Ledger ledger, Member member, Instant now) {
    Duration silence = Duration.between(member.heard(), now);
    Duration lately = Duration.ofMillis(ledger.staleAfter().toMillis() / LATELY_PER_STALE);
    Presence presence =
        member.hasLeft()
            ? Presence.GONE
            : silence.compareTo(lately) < 0 ? Presence.HERE : Presence.QUIET;
    String session = member.session();
    List<Task> tasks = session == null ? List.of() : ledger.tasks().of(session);
    Task latest = null;
    Doing doing = Doing.IDLE;
    for (Task task : tasks) {
      boolean isLater = latest == null || task.claim().token() > latest.claim().token();
      latest = isLater ? task : latest;
      doing =
          task.state() == TaskState.BLOCKED && doing == Doing.IDLE
              ? Doing.BLOCKED
              : task.state() == TaskState.CLAIMED ? Doing.WORKING : doing;
    }
    return new Activity(
        presence,
        silence.isNegative() ? Duration.ZERO : silence,
        doing,
        latest,
        latest == null ? -1 : latest.claim().progress(),
        tasks);
  }
}
