package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.bus.Bus;
import dev.parley.core.store.Views;
import java.util.Arrays;

/**
 * Works on a bus where much is held and much is to be done.
 *
 * <pre>
 * leases folder count times   done nanos    the median of a look for what overlaps one more path
 * tasks folder count times    done nanos    the median of claiming the next task
 * </pre>
 */
public final class Busy implements Role {
  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    try (Bus bus = ParleyCarrier.open(cue.word(), new ParleyCarrier.Reports())) {
      Team team = new Team(bus.log(), Views.inMemory(), new ParleyCarrier.Reports());
      Session session = team.join("ann");
      int count = cue.number();
      long[] times = new long[cue.number()];
      if (what.equals("leases")) {
        leases(team, session, count, times);
      } else {
        tasks(team, session, count, times);
      }
      Arrays.sort(times);
      stage.say("done", times[times.length / 2]);
    }
  }

  private static void leases(Team team, Session session, int count, long[] times) {
    Locks locks = team.locks(session);
    for (int i = 0; i < count; i++) {
      var _ = locks.lock(LockRequest.of("src/module" + i % 100 + "/File" + i + ".java"));
    }
    Ledger ledger = team.ledger().look(state -> state); // nobody else uses it here
    for (int i = 0; i < times.length; i++) {
      long from = System.nanoTime();
      PathPattern pattern =
          PathPattern.of(
              i % 2 == 0
                  ? "src/module" + i % 100 + "/File" + (count + i) + ".java"
                  : "src/module" + i % 100 + "/*" + i + ".java");
      var _ = ledger.leases().touching(pattern, "");
      times[i] = System.nanoTime() - from;
    }
  }

  private static void tasks(Team team, Session session, int count, long[] times) {
    TaskList tasks = team.tasks(session);
    for (int i = 0; i < count; i++) {
      var _ = tasks.add(Plan.of("t" + i), false);
    }
    for (int i = 0; i < times.length; i++) {
      long from = System.nanoTime();
      var _ = tasks.next(TaskList.Terms.NONE);
      times[i] = System.nanoTime() - from;
    }
  }
}
