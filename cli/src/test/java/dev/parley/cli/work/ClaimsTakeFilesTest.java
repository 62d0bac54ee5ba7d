package dev.parley.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.cli.testing.Waiting;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lease covers, and the files of a task that is claimed. */
class ClaimsTakeFilesTest {
  @TempDir private Path folder;
  private Path other;

  @BeforeEach
  void aRepositoryWithTwoWorktrees() throws IOException, InterruptedException {
    folder = folder.toRealPath();
    Path main = Files.createDirectory(folder.resolve("main"));
    other = folder.resolve("other");
    git(main, "init", "-q");
    git(main, "config", "user.email", "a@b");
    git(main, "config", "user.name", "a");
    git(main, "commit", "-q", "--allow-empty", "-m", "begin");
    git(main, "worktree", "add", "-q", other.toString());
    folder = main;
    run("alice", "init");
  }

  private static void git(Path where, String... words) throws IOException, InterruptedException {
    String[] command = new String[words.length + 1];
    command[0] = "git";
    System.arraycopy(words, 0, command, 1, words.length);
    Process git = new ProcessBuilder(command).directory(where.toFile()).inheritIO().start();
    assertThat(git.waitFor()).isZero();
  }

  private Answer run(String agent, String... line) {
    return in(folder, agent, line);
  }

  private static Answer in(Path where, String agent, String... line) {
    Answer answer = new Trial(where).with("PARLEY_AGENT", agent).run(line);
    return answer;
  }

  private Answer ok(String agent, String... line) {
    Answer answer = run(agent, line);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  @Test
  void aLockHoldsInAllWorktreesUnlessItIsForOneAlone() {
    ok("alice", "lock", "a.txt");
    Answer refused = in(other, "bob", "lock", "a.txt");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("alice holds a.txt");
    assertThat(in(other, "bob", "lock", "a.txt", "--tree").exitCode()).isEqualTo(3);

    ok("alice", "lock", "b.txt", "--tree");
    Answer beside = in(other, "bob", "lock", "b.txt", "--tree");
    assertThat(beside.exitCode()).as(beside.err()).isZero();
    assertThat(beside.out()).contains("alice holds b.txt in another worktree");
    assertThat(in(other, "carol", "lock", "b.txt").exitCode()).isEqualTo(3);
    assertThat(ok("alice", "locks", "list").out()).contains("this tree", "other tree");

    assertThat(run("alice", "lock", "c", "--tree", "--repo").exitCode()).isEqualTo(2);
  }

  @Test
  void aClaimTakesItsFilesAndGivesThemBack() {
    ok("alice", "task", "add", "1", "--title", "One", "--file", "src/a.ts");
    Answer claimed = ok("alice", "task", "claim", "1");
    assertThat(claimed.out()).contains("locked with it: src/a.ts", "claim lasts until");

    Answer refused = in(other, "bob", "lock", "src/a.ts", "--json");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.json()).containsEntry("holder", Json.of("alice"));

    ok("alice", "task", "done", "1");
    assertThat(in(other, "bob", "lock", "src/a.ts").exitCode()).isZero();
    assertThat(ok("alice", "locks", "list").out()).doesNotContain("alice");
  }

  @Test
  void aFileOfTwoClaimsIsHeldUntilBothAreOver() {
    ok("ann", "task", "add", "7.1", "--file", "p/x.py", "--file", "p/y.py");
    ok("ann", "task", "add", "7.2", "--file", "p/y.py");
    ok("ann", "task", "add", "7.3", "--file", "p/y.py");
    ok("ann", "task", "claim", "7.1");
    assertThat(ok("ann", "task", "claim", "7.2").out()).contains("locked with it: p/y.py");

    ok("ann", "task", "done", "7.1");

    Answer refused = run("ben", "task", "claim", "7.3");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("ann holds p/y.py");
    assertThat(ok("ben", "locks").out()).contains("p/y.py", "7.2").doesNotContain("p/x.py", "7.1");
    ok("ben", "lock", "p/x.py");

    ok("ann", "task", "done", "7.2");
    ok("ben", "task", "claim", "7.3");
  }

  @Test
  void whatAClaimFoundLockedStaysLockedWhenItIsUnlocked() {
    ok("ann", "task", "add", "7.2", "--file", "p/y.py");
    ok("ann", "task", "add", "7.1");
    for (String[] lock : new String[][] {{}, {"--task", "7.1"}}) {
      List<String> line = new ArrayList<>(List.of("lock", "p/y.py", "p/z.py"));
      line.addAll(List.of(lock));
      ok("ann", line.toArray(String[]::new));
      ok("ann", "task", "claim", "7.2");
      Answer unlocked = ok("ann", "unlock", "p/y.py", "p/z.py");
      assertThat(unlocked.out())
          .contains("unlocked p/z.py", "still locked for your claim of 7.2: p/y.py");
      assertThat(run("ben", "lock", "p/y.py").exitCode()).isEqualTo(3);
      ok("ben", "lock", "p/z.py");
      ok("ben", "unlock", "p/z.py");
      ok("ann", "task", "release", "7.2");
      ok("ben", "lock", "p/y.py");
      ok("ben", "unlock", "p/y.py");
    }
  }

  @Test
  void nextPassesOverTasksWhoseFilesAreHeldAndSaysSo() {
    ok("alice", "task", "add", "1", "--file", "a", "--priority", "high");
    ok("alice", "task", "add", "2", "--file", "b");
    ok("bob", "lock", "a");

    Answer next = ok("alice", "task", "next");
    assertThat(next.out()).contains("skipped 1: bob holds a", "2 is yours");
    Answer nothing = run("carol", "task", "next", "--json");
    assertThat(nothing.exitCode()).isEqualTo(3);
    assertThat(nothing.json()).containsEntry("error", Json.of("nothing-ready"));
    assertThat(nothing.json().get("message").text()).contains("others hold files of 1 (bob)");
    assertThat(ok("carol", "task", "next", "--no-files").out()).contains("1 is yours");
  }

  @Test
  void aClaimOnHeldFilesIsRefusedOrWaitsInLineInSightOfAll() throws Exception {
    ok("alice", "task", "add", "1", "--file", "a");
    ok("bob", "lock", "a");
    Answer refused = run("alice", "task", "claim", "1");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("bob holds a");

    CompletableFuture<Answer> waits =
        CompletableFuture.supplyAsync(() -> run("alice", "task", "claim", "1", "--wait", "60s"));
    Waiting.until(() -> run("carol", "waits").out().contains("alice"));
    assertThat(run("carol", "waits").out()).contains("bob");
    ok("bob", "unlock", "a");
    assertThat(waits.get(60, TimeUnit.SECONDS).out()).contains("1 is yours");
    assertThat(ok("carol", "locks", "list").out()).contains("alice");
  }

  @Test
  void aWaitForFilesEndsWhenAnotherHasTheTask() throws Exception {
    ok("alice", "task", "add", "1", "--file", "a");
    ok("bob", "lock", "a");
    CompletableFuture<Answer> waits =
        CompletableFuture.supplyAsync(() -> run("alice", "task", "claim", "1", "--wait", "60s"));
    Waiting.until(() -> run("carol", "waits").out().contains("alice"));
    ok("bob", "task", "claim", "1", "--no-files");
    Answer answer = waits.get(60, TimeUnit.SECONDS);
    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err()).contains("bob has owned 1");
    assertThat(run("carol", "waits").out()).doesNotContain("alice");
  }

  @Test
  void runSaysCommitAndChangedFilesAndProgressAndRefusesWhatDependsOnSomethingOpen() {
    ok("alice", "task", "add", "1", "--file", "made.txt");
    ok("alice", "task", "add", "2", "--after", "1");
    Answer refused = run("alice", "run", "--task", "2", "--", "true");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("2 is not ready: it depends on 1");

    Answer done =
        ok(
            "alice",
            "run",
            "--task",
            "1",
            "--",
            "sh",
            "-c",
            "echo x > made.txt; echo y > 'left over.txt'; echo PROGRESS 40; git add made.txt;"
                + " git commit -q -m made; echo end");

    assertThat(done.out()).contains("PROGRESS 40\nend\n");
    Answer shown = ok("alice", "task", "show", "1", "--json");
    assertThat(shown.json().get("commit").text()).hasSize(40);
    assertThat(shown.json().get("changed"))
        .isEqualTo(Json.ofStrings(List.of("left over.txt", "made.txt")));
    assertThat(ok("alice", "tail", "ledger", "--json", "-n", "50").out())
        .contains("\"progress\":40");
  }

  @Test
  void runWaitsForPathsBeforeItClaims() throws Exception {
    ok("alice", "task", "add", "1", "--file", "a");
    ok("bob", "lock", "a");
    CompletableFuture<Answer> waits =
        CompletableFuture.supplyAsync(() -> run("alice", "run", "--task", "1", "--", "true"));
    Waiting.until(() -> run("carol", "waits").out().contains("alice"));
    assertThat(ok("carol", "task", "list").out()).contains("ready");
    ok("bob", "unlock", "a");
    assertThat(waits.get(60, TimeUnit.SECONDS).exitCode()).isZero();
  }
}
