package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.bus.Bus;
import dev.parley.core.store.Views;
import dev.parley.filelog.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many agents of one process on one opened bus.
 *
 * <pre>
 * disk folder threads count    done nanos                       locks and unlocks, each synced
 * mixed folder agents count    done nanos p50 p99 heapBytes     locks, tasks and mail
 * </pre>
 */
public final class Deciding implements Role {
  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    boolean disk = cue.word().equals("disk");
    String folder = cue.word();
    int agents = cue.number();
    int each = cue.number() / agents;
    Durability durability = disk ? Durability.DISK : Durability.OS;
    try (Bus bus = ParleyCarrier.open(folder, durability, new ParleyCarrier.Reports());
        ExecutorService threads = Executors.newFixedThreadPool(agents)) {
      Team team = new Team(bus.log(), Views.inMemory(), new ParleyCarrier.Reports());
      List<Callable<long[]>> work = new ArrayList<>();
      for (int i = 0; i < agents; i++) {
        Session session = team.join("agent-" + i);
        int number = i;
        work.add(
            disk
                ? () -> lock(team, session, each)
                : () -> mix(team, session, number, agents, each));
      }
      var _ = threads.invokeAll(work); // a new folder takes other ways at first
      long from = System.nanoTime();
      List<long[]> times = new ArrayList<>();
      for (Future<long[]> one : threads.invokeAll(work)) {
        times.add(one.get());
      }
      long nanos = System.nanoTime() - from;
      if (disk) {
        stage.say("done", nanos);
        return;
      }
      long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      stage.say(
          "done",
          nanos,
          all[all.length / 2],
          all[all.length * 99 / 100],
          runtime.totalMemory() - runtime.freeMemory());
    }
  }

  /** One decision is a lock, the next gives it back. */
  private static long[] lock(Team team, Session session, int decisions) {
    Locks locks = team.locks(session);
    LockRequest wanted = LockRequest.of("src/" + session.name() + ".java");
    for (int i = 0; i < decisions / 2; i++) {
      locks.release(locks.lock(wanted).token());
    }
    return new long[0];
  }

  /** Two decisions about a path, three about a task, and a message to the neighbour. */
  private static long[] mix(Team team, Session session, int number, int agents, int count) {
    Locks locks = team.locks(session);
    TaskList tasks = team.tasks(session);
    Mail mail = team.mail(session);
    LockRequest wanted = LockRequest.of("src/" + session.name() + ".java");
    String next = "agent-" + (number + 1) % agents;
    long[] times = new long[count];
    long token = 0;
    String task = "";
    for (int i = 0; i < count; i++) {
      long from = System.nanoTime();
      switch (i % 6) {
        case 0 -> token = locks.lock(wanted).token();
        case 1 -> {
          task = session.name() + "." + from;
          var _ = tasks.add(Plan.of(task), false);
        }
        case 2 -> {
          var _ = tasks.claim(task, TaskList.Terms.NONE);
        }
        case 3 -> {
          var _ = mail.send(Draft.to(next).says("Work", "x".repeat(60)));
        }
        case 4 -> {
          var _ = tasks.done(task, null, List.of(), null);
        }
        default -> {
          locks.release(token);
          mail.acknowledge(
              mail.inbox(MailFilter.ANY).stream().map(one -> one.entry().id()).toList());
        }
      }
      times[i] = System.nanoTime() - from;
    }
    return times;
  }
}
