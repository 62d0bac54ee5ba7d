package dev.parley.orchestration.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {
  private static final Duration TIME = Duration.ofSeconds(30);
  @TempDir private Path folder;

  private Evidence run(String line, Duration time) throws InterruptedException {
    return new GateRun(folder, Map.of("WHERE", "here"), () -> false)
        .run(Gate.ofShell("test", line, time), "abc");
  }

  @Test
  void evidenceIsWhatTheCommandDid() throws Exception {
    Evidence passed = run("echo $WHERE; echo '3 passed in 0.1s'", TIME);
    assertThat(passed.passed()).isTrue();
    assertThat(passed.output()).isEqualTo("here\n3 passed in 0.1s\n");
    assertThat(passed.counts()).isEqualTo(new TestCounts(3, 0));
    assertThat(passed.digest()).startsWith("sha256:").hasSize(71);
    assertThat(passed.json().toString()).contains("\"commit\":\"abc\"").contains("\"tests\":3");

    Evidence failed = run("echo broken >&2; exit 7", TIME);
    assertThat(failed.passed()).isFalse();
    assertThat(failed.exit()).isEqualTo(7);
    assertThat(failed.summary()).isEqualTo("test failed: exit code 7");
  }

  @Test
  void aGateThatTakesTooLongIsEndedWithAllItHasStarted() throws Exception {
    Evidence late = run("(sleep 60 & echo $! > child; wait)", Duration.ofMillis(300));
    assertThat(late.why()).isEqualTo("not done within 300 ms");
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    Awaitility.await()
        .until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void whatAGateLeavesBehindIsEndedAndCounted() throws Exception {
    Evidence left = run("setsid sleep 60 >/dev/null 2>&1 & exit 0", TIME);
    assertThat(left.passed()).isTrue();
    assertThat(left.leftovers()).isEqualTo(1);
    assertThat(left.summary()).contains("1 processes left behind were ended");
  }

  @Test
  void aProgramThatIsNotThereIsAFailure() throws Exception {
    Evidence none =
        new GateRun(folder, Map.of(), () -> false)
            .run(new Gate("x", List.of("no-such-program-here"), TIME), "abc");
    assertThat(none.passed()).isFalse();
    assertThat(none.why()).startsWith("it can't be started");
  }

  @Test
  void failuresAreTheSameIfTheirFirstTwentyLinesAre() throws Exception {
    assertThat(run("seq 20; echo a; exit 1", TIME).failureHash())
        .isEqualTo(run("seq 20; echo b; exit 1", TIME).failureHash())
        .isNotEqualTo(run("seq 19; echo b; exit 1", TIME).failureHash());
  }

  @Test
  void testsAreFoundByTheFilesOfTheProject() throws IOException {
    assertThat(Detection.tests(folder, TIME)).isNull();
    for (String[] each :
        new String[][] {
          {"test.sh", "sh test.sh"},
          {"go.mod", "go test ./..."},
          {"setup.py", "python3 -m pytest"},
          {"Cargo.toml", "cargo test"},
          {"package.json", "npm test"},
          {"build.gradle.kts", "gradle test"},
          {"gradlew", "./gradlew test"},
          {"pom.xml", "mvn -q -B test"},
        }) {
      Files.writeString(folder.resolve(each[0]), "");
      assertThat(Detection.tests(folder, TIME)).extracting(Gate::line).isEqualTo(each[1]);
    }
  }

  @Test
  void countsAreReadFromTheUsualSummaries() {
    assertThat(TestCounts.in("[ERROR] Tests run: 9, Failures: 1, Errors: 2, Skipped: 0"))
        .isEqualTo(new TestCounts(9, 3));
    assertThat(
            TestCounts.in(
                "test result: ok. 4 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed;"))
        .isEqualTo(new TestCounts(7, 2));
    assertThat(TestCounts.in("== 2 failed, 5 passed in 0.12s ==")).isEqualTo(new TestCounts(7, 2));
    assertThat(TestCounts.in("# pass 3\n# fail 1\n")).isEqualTo(new TestCounts(4, 1));
    assertThat(TestCounts.in("all good")).isNull();
  }
}
