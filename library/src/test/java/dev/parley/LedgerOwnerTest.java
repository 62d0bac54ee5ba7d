package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.mail.ForeignMailProxy;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.roster.Roster;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.wait.Waits;
import dev.parley.coordination.wake.Wakes;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.WaitService;
import dev.parley.coordination.work.Worker;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nobody but its owner has the folded ledger, or a part of it that changes. */
class LedgerOwnerTest {
  private static final List<Class<?>> SERVICES =
      List.of(
          Parley.class,
          Agent.class,
          HeldLease.class,
          ChangeStream.class,
          Team.class,
          LedgerOwner.class,
          Sessions.class,
          Mail.class,
          ForeignMailProxy.class,
          Bulletins.class,
          Locks.class,
          TaskList.class,
          WaitService.class,
          Worker.class,
          BoardService.class,
          BoardReader.class);

  private static final List<Class<?>> MUTABLE =
      List.of(
          Fold.class,
          Roster.class,
          Leases.class,
          Tasks.class,
          Waits.class,
          Boards.class,
          WaitGraph.class);

  /** Wakes are folded for each caller anew, so they are a snapshot of its own. */
  @Test
  void noServiceHandsOutSomethingThatTheFoldChanges() {
    List<String> leaks = new ArrayList<>();
    int methods = 0;
    for (Class<?> service : SERVICES) {
      for (Method method : service.getMethods()) {
        methods++;
        Class<?> given = method.getReturnType();
        if (!given.equals(Wakes.class)
            && MUTABLE.stream().anyMatch(one -> one.isAssignableFrom(given))) {
          leaks.add(service.getSimpleName() + "." + method.getName());
        }
      }
    }
    assertThat(leaks).isEmpty();
    assertThat(methods).isGreaterThan(100);
  }
}
