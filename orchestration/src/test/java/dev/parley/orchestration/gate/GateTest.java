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

  /** As test runners print it: the same failure takes another time at each run. */
  @Test
  void failuresAreTheSameIfOnlyTimesAndAddressesDiffer() throws Exception {
    String failure =
        "echo '12:01:%1$s FAILED test_a.py::test_a - assert 1 == 2, object at 0x7f%1$sab00'; "
            + "echo 'in /tmp/pytest-%1$s/a'; echo '==== 1 failed in 0.%1$ss ===='; "
            + "echo 'not ok # duration_ms %1$s.5'; exit 1";
    assertThat(run(failure.formatted("01"), TIME).failureHash())
        .isEqualTo(run(failure.formatted("17"), TIME).failureHash());
    assertThat(run("echo 'a.c:10:25: x'; exit 1", TIME).failureHash())
        .as("places in files count")
        .isNotEqualTo(run("echo 'a.c:10:26: x'; exit 1", TIME).failureHash());
    assertThat(run("echo 'expected 3, was 4'; exit 1", TIME).failureHash())
        .isNotEqualTo(run("echo 'expected 3, was 5'; exit 1", TIME).failureHash());
  }

  /** Maven and Gradle print nothing about tests that pass. */
  @Test
  void countsOfASilentBuildAreReadFromTheReportsThatItWrites() throws Exception {
    String report = "<?xml version='1.0'?><testsuite name='a' tests='%d' failures='1' errors='%d'>";
    Files.writeString(folder.resolve("pom.xml"), "");
    Path module = Files.createDirectories(folder.resolve("modules/one/target/surefire-reports"));
    Files.writeString(module.resolve("TEST-old.xml"), report.replace('\'', '"').formatted(100, 0));
    assertThat(run("true", TIME).counts()).as("of an earlier build").isNull();

    String gradle = "two/build/test-results/test";
    Evidence both =
        run(
            "mkdir -p %2$s; echo '%1$s' > %2$s/TEST-b.xml; echo '%1$s' > %3$s/TEST-a.xml"
                .formatted(report.replace('\'', '"').formatted(4, 1), gradle, module),
            TIME);
    assertThat(both.counts()).isEqualTo(new TestCounts(8, 4));
    assertThat(both.json().toString()).contains("\"tests\":8,\"failed\":4");
  }

  @Test
  void testsAreFoundByTheFilesOfTheProject() throws IOException {
    assertThat(TestDetection.tests(folder, TIME)).isNull();
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
      assertThat(TestDetection.tests(folder, TIME)).extracting(Gate::line).isEqualTo(each[1]);
    }
  }

  @Test
  void countsAreReadFromTheUsualSummaries() {
    counts("[ERROR] Tests run: 9, Failures: 1, Errors: 2, Skipped: 0", 9, 3);
    counts(
        """
        [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A
        [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0
        [ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE!
        [ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
        """,
        5,
        1);
    counts("9 tests completed, 1 failed", 9, 1);
    counts(
        "test result: ok. 4 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed;",
        7,
        2);
    counts("=== RUN TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestB/x (0.01s)\nFAIL", 2, 1);
    counts("# tests 4\n# pass 3\n# fail 1\n", 4, 1);
    counts("\u2139 pass 3\n\u2139 fail 0\n", 3, 0);
    counts("  3 passing (10ms)\n  2 failing\n\n  1) it\n", 5, 2);
    counts("Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)", 3, 2);
    counts("Ran 3 tests in 0.001s\n\nOK", 3, 0);
    counts("== 2 failed, 5 passed in 0.12s ==", 7, 2);
    counts("== 1 passed, 1 error in 0.12s ==", 2, 1);
    counts("== 2 errors in 0.12s ==", 2, 2);
    counts("Tests:       1 failed, 5 passed, 6 total\nTime:        1.2 s", 6, 1);
    assertThat(TestCounts.in("all good")).isNull();
    assertThat(TestCounts.in("2 errors")).as("of a compiler").isNull();
  }

  private static void counts(String output, int run, int failed) {
    assertThat(TestCounts.in(output)).as(output).isEqualTo(new TestCounts(run, failed));
  }
}
