package dev.parley.examples;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.TaskList;
import java.time.Duration;
import java.util.List;

/** Two workers pull tasks until none is left; every task has one owner. */
public final class PullTasks {
  private PullTasks() {}

  public static void main(String[] args) throws InterruptedException {
    try (Parley parley = Parley.inMemory();
        Agent lead = parley.join("lead")) {
      for (int i = 1; i <= 6; i++) {
        var _ = lead.tasks().add(Plan.of("task-" + i), false);
      }
      List<Thread> workers =
          List.of(
              Thread.ofVirtual().start(() -> work(parley, "ann")),
              Thread.ofVirtual().start(() -> work(parley, "ben")));
      for (Thread worker : workers) {
        worker.join();
      }
      parley.tasks().forEach(task -> System.out.println(task.id() + " is " + task.state().name()));
    }
  }

  private static void work(Parley parley, String name) {
    try (Agent worker = parley.join(name)) {
      TaskList tasks = worker.tasks();
      TaskList.Claimed claimed = tasks.next(TaskList.Terms.NONE, Duration.ZERO);
      while (claimed != null) {
        // Here the work is done.
        var _ = tasks.done(claimed.task(), null, List.of(), null);
        claimed = tasks.next(TaskList.Terms.NONE, Duration.ZERO);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
