package dev.parley.cli.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 001: workers that know nothing but the files, beside a real bridge and real commands. */
class ConductorIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;
  private Trial alice;

  @BeforeEach
  void mount() {
    alice = new Trial(folder).with("PARLEY_AGENT", "alice");
    run("init");
    run("init", "--dialect", "conductor");
    run("mount", "conductor", ".message-bus");
  }

  private void run(String... args) {
    Trial.Answer answer = alice.run(args);
    assertThat(answer.exitCode()).as(answer.err() + answer.out()).isZero();
  }

  /** A program of another tool, as it may run in this folder. */
  private Launched python(String script) throws Exception {
    return Launched.start(folder, Map.of(), List.of("python3", "-c", script));
  }

  /** What the design's own function does: it takes no mutex. */
  private static final String ACQUIRE =
      """
      import json
      from datetime import datetime, timedelta
      locks = {}
      now = datetime.utcnow()
      locks["src/a.ts"] = {"worker_id": "worker-9", "acquired_at": now.isoformat() + "Z",
                           "expires_at": (now + timedelta(minutes=30)).isoformat() + "Z"}
      with open(".message-bus/locks.json", "w") as f:
          json.dump(locks, f, indent=2)
      """;

  @Test
  void aLockThatAWorkerOverwritesIsReportedToBothByARunningBridge() throws Exception {
    run("lock", "src/a.ts");
    try (Launched bridge = Launched.parley(folder, "bridge")) {
      bridge.awaitOutput("bridging");
      try (Launched worker = python(ACQUIRE)) {
        assertThat(worker.answer().exitCode()).isZero();
      }
      Path queue = folder.resolve(".message-bus/queue.jsonl");
      Awaitility.await()
          .atMost(SOON)
          .until(() -> Files.readString(queue).contains("LOCK_CLOBBERED"));
    }

    assertThat(alice.run("inbox", "--json").out())
        .contains("worker-9 overwrote the lock of alice on src/a.ts");
    assertThat(alice.run("locks", "list").out()).contains("worker-9").doesNotContain("alice");
    assertThat(alice.run("lock", "src/a.ts").exitCode()).isEqualTo(3);
  }

  @Test
  void eachSideWaitsForATaskOfTheOther() throws Exception {
    run("task", "add", "1.1");
    run("task", "claim", "1.1");
    String waiting =
        """
        import glob, sys, time
        for i in range(600):
            if glob.glob(".message-bus/events/TASK_COMPLETE_1.1.event"):
                sys.exit(0)
            time.sleep(0.1)
        sys.exit(1)
        """;
    try (Launched worker = python(waiting)) {
      run("task", "done", "1.1");
      assertThat(worker.answer().exitCode()).isZero();
    }

    run("task", "add", "1.2");
    String complete =
        """
        import json
        from datetime import datetime
        with open(".message-bus/queue.jsonl", "a") as f:
            f.write(json.dumps({"id": "msg-7", "type": "TASK_COMPLETE", "source": "worker-1.2-y",
                "timestamp": datetime.utcnow().isoformat() + "Z",
                "payload": {"task_id": "1.2", "commit_sha": "abc"}}) + "\\n")
        """;
    try (Launched waiter =
        Launched.bash(folder, "PARLEY_AGENT=bob \"$parley\" wait task:1.2 --timeout 60s")) {
      Awaitility.await().atMost(SOON).until(() -> alice.run("waits").out().contains("task:1.2"));
      try (Launched worker = python(complete)) {
        assertThat(worker.answer().exitCode()).isZero();
      }
      Trial.Answer over = waiter.answer();
      assertThat(over.exitCode()).as(over.err()).isZero();
      assertThat(over.out()).contains("task:1.2 is done");
    }
    assertThat(alice.run("who").out()).contains("worker-1.2-y");
  }
}
