package dev.parley.examples;

import dev.parley.Agent;
import dev.parley.HeldLease;
import dev.parley.Parley;
import dev.parley.coordination.work.LockRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A server that keeps one bus open for many agents, each on a thread of its own. They take turns on
 * one file; the bus is a folder, so commands and other programs can take part.
 */
public final class ServeManyAgents {
  private static final int AGENTS = 20;

  private ServeManyAgents() {}

  /** Takes the folder of the bus as its argument, or makes a temporary one. */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Path folder = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("parley-example");
    try (Parley parley = Parley.create(folder.resolve(".parley"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> turns = new ArrayList<>();
      for (int i = 1; i <= AGENTS; i++) {
        String name = "agent-" + i;
        turns.add(threads.submit(() -> takeATurn(parley, name)));
      }
      int taken = 0;
      for (Future<Integer> turn : turns) {
        taken += turn.get();
      }
      System.out.println(taken + " agents took their turn");
    }
  }

  private static int takeATurn(Parley parley, String name) throws InterruptedException {
    LockRequest wanted = LockRequest.of("CHANGELOG.md");
    try (Agent agent = parley.join(name);
        HeldLease _ = agent.lock(wanted, Duration.ofMinutes(1))) {
      return 1;
    }
  }
}
