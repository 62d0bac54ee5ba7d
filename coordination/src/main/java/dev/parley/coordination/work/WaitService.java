package dev.parley.coordination.work;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.history.WaitEndLookup;
import dev.parley.coordination.wait.DeclaredWait;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Declares waits in the ledger, so that no agents wait in a cycle.
 *
 * <p>Safe for use by many threads.
 */
public final class WaitService {
  private final Session session;
  private final LedgerOwner owner;

  public WaitService(Session session, LedgerOwner owner) {
    this.session = session;
    this.owner = owner;
  }

  /**
   * Declares that this session waits for something.
   *
   * @param target an agent, {@code task:1.1}, {@code path:src/a.ts} or {@code board:s}; a task need
   *     not exist yet
   * @param tree the working tree of a path
   * @param about the reason in a few words
   * @return the wait, for {@link #end}; 0 if there is nothing to wait for
   * @throws RefusedException if that would close a cycle ({@code would-deadlock}), or the target is
   *     not known
   */
  public long begin(String target, String tree, @Nullable String about, Duration atMost) {
    Json.ObjectBuilder payload =
        Json.object()
            .put("for", target)
            .put("timeout", Math.clamp(atMost.toSeconds() + 1, 1, Wait.MOST.toSeconds()));
    if (target.startsWith("task:")) {
      payload.put("later", true);
    }
    if (!tree.isEmpty()) {
      payload.put("tree", tree);
    }
    if (about != null) {
      payload.put("about", about);
    }
    Outcome answer = owner.ask(session, WaitTypes.BEGIN, payload);
    return ((DeclaredWait) RefusedException.check(answer)).position();
  }

  /** Ends a wait; doing it twice does no harm. */
  public void end(long wait) {
    if (wait != 0) {
      var _ = owner.ask(session, WaitTypes.END, Json.object().put("wait", wait));
    }
  }

  /**
   * Waits until something is over: a task has ended, a path is free, an agent has left.
   *
   * @return false if the time is over before that
   * @throws RefusedException as {@link #begin}
   */
  public boolean until(String target, String tree, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      long wait = begin(target, tree, null, left);
      if (wait == 0) {
        return true;
      }
      Boolean gone = null;
      try {
        gone = owner.await(session, left, new Gone(wait));
      } finally {
        if (gone == null) {
          end(wait);
        }
      }
      if (gone == null) {
        return false;
      }
      // The wait may have ended for another reason: the ledger's time is ahead of ours, or
      // another agent has the path now. Ask again.
    }
  }

  /**
   * Waits until a line after a position makes something over. If it was over before that position,
   * it must end once more.
   *
   * @return the position of that line; null if the time is over
   * @throws RefusedException as {@link #begin}
   */
  public @Nullable Position until(String target, String tree, Position after, Duration atMost)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    FoldReader<WaitEndLookup> ending = owner.ending(session, target, tree, after);
    while (ending.refresh().at() == null) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      long wait = begin(target, tree, null, left);
      Boolean news = null;
      try {
        news = owner.await(session, left, wait == 0 ? new Anew(ending) : new Gone(wait));
      } finally {
        if (news == null) {
          end(wait);
        }
      }
      if (news == null) {
        return null;
      }
    }
    return ending.lastKnown().at();
  }

  /** Waits until something that was over ends once more, or is not over any more. */
  private record Anew(FoldReader<WaitEndLookup> ending) implements LedgerOwner.Awaited<Boolean> {
    @Override
    public @Nullable Boolean answer(Ledger ledger) {
      WaitEndLookup now = ending.refresh();
      return (now.at() != null || !now.isOver()) ? true : null;
    }

    @Override
    public @Nullable Instant next(Ledger ledger) {
      return null;
    }
  }

  /** Waits until a declared wait has ended. */
  private record Gone(long begun) implements LedgerOwner.Awaited<Boolean> {
    @Override
    public @Nullable Boolean answer(Ledger ledger) {
      return ledger.waits().find(begun) == null ? true : null;
    }

    @Override
    public @Nullable Instant next(Ledger ledger) {
      Wait own = ledger.waits().find(begun);
      return own == null ? null : ledger.graph().nextEnd(own);
    }
  }
}
