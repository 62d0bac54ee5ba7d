package dev.parley.coordination.work;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.history.WaitEnding;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Waits for something in sight of all, so that nobody waits in a circle.
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
   * Says that one waits for something.
   *
   * @param target what for: an agent, {@code task:1.1}, {@code path:src/a.ts}, {@code board:s}; a
   *     task need not be there yet
   * @param tree the working tree that a path is meant in
   * @param about a few words on why
   * @return what {@link #end} ends; 0 if there is nothing to wait for
   * @throws RefusedException if that closed a circle ({@code would-deadlock}), or nobody knows of
   *     it
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
    Fields answer = RefusedException.accepted(owner.ask(session, WaitTypes.BEGIN, payload));
    return answer.number("waiting", 0);
  }

  /** Says that one waits no more; doing it twice does no harm. */
  public void end(long wait) {
    if (wait != 0) {
      var _ = owner.ask(session, WaitTypes.END, Json.object().put("wait", wait));
    }
  }

  /**
   * Waits until something is over: a task has ended, a path is free, an agent has left.
   *
   * @return whether it is; false if the time is over
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
      // Gone is not over: the ledger's time may be ahead of ours, or another have the path now.
    }
  }

  /**
   * Waits until something comes to be over by a line after a position; what was over before counts
   * only if it is so anew.
   *
   * @return where it came to be over; null if the time is over
   * @throws RefusedException as {@link #begin}
   */
  public @Nullable Position until(String target, String tree, Position after, Duration atMost)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    FoldReader<WaitEnding> ending = owner.ending(session, target, tree, after);
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

  /** That what was over long ago has ended since, or is not over any more. */
  private record Anew(FoldReader<WaitEnding> ending) implements LedgerOwner.Awaited<Boolean> {
    @Override
    public @Nullable Boolean answer(Ledger ledger) {
      WaitEnding now = ending.refresh();
      return (now.at() != null || !now.isOver()) ? true : null;
    }

    @Override
    public @Nullable Instant next(Ledger ledger) {
      return null;
    }
  }

  /** That a wait has ended. */
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
