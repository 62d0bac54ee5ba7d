package dev.parley.orchestration.ask;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.ask.Answer.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that behave well and badly, asked by a run on a real bus. */
class RunTest {
  @TempDir private Path folder;
  private Workshop workshop;

  @BeforeEach
  void open() {
    workshop = new Workshop(folder);
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private Run begin() {
    return Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, RunLimits.DEFAULT);
  }

  private Answer ask(String script) throws IOException, InterruptedException {
    return ask(script, Duration.ofSeconds(20));
  }

  private Answer ask(String script, Duration timeout) throws IOException, InterruptedException {
    workshop.agent("bob", script);
    try (Run run = begin()) {
      return run.ask(new Ask("bob", "analysis", "What is it?", folder, Map.of(), timeout));
    }
  }

  @Test
  void aProgramGetsThePromptOnItsInputAndItsOutputIsTheAnswer() throws Exception {
    Answer answer = ask("read line; echo \"you said: $line\"");

    assertThat(answer.status()).isEqualTo(Status.ANSWERED);
    assertThat(answer.text()).isEqualTo("you said: What is it?");
  }

  @Test
  void thePromptCanBeAnArgumentOrAFile() throws Exception {
    Path echo = workshop.script("echo", "echo \"$1|$2\"");
    Path cat = workshop.script("cat", "cat \"$1\"; ls -l \"$1\" | cut -c 1-10");
    workshop
        .agent(
            AgentDefinition.of(
                "one",
                new CallMethod.Command(
                    List.of(echo.toString(), "-p={prompt}"),
                    CallMethod.Input.ARGUMENT,
                    CallMethod.Output.TEXT)))
        .agent(
            AgentDefinition.of(
                "two",
                new CallMethod.Command(
                    List.of(cat.toString()), CallMethod.Input.FILE, CallMethod.Output.TEXT)));

    try (Run run = begin()) {
      assertThat(run.ask(Ask.of("one", "x", "why $(id) \"?\"", folder)).text())
          .isEqualTo("-p=why $(id) \"?\"|");
      assertThat(run.ask(Ask.of("two", "x", "why?", folder)).text()).isEqualTo("why?-rw-------");
    }
  }

  @Test
  void whatFailsSaysWhy() throws Exception {
    Answer failed = ask("echo nonsense; echo 'no credit left' >&2; exit 7");
    Answer silent = ask("exit 0");

    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.exitCode()).isEqualTo(7);
    assertThat(failed.error()).isEqualTo("exit code 7: no credit left");
    assertThat(silent.status()).isEqualTo(Status.EMPTY);
  }

  /** A line of the bus has no room for a long error. */
  @Test
  void aHostThatReportsMegabytesAsItsErrorDoesNotEndTheRun() throws Exception {
    Path host =
        workshop.script(
            "host",
            "printf '{\"type\":\"result\",\"is_error\":true,\"result\":\"'; head -c 3000000"
                + " /dev/zero | tr '\\0' x; printf '\"}'");
    workshop.agent(
        AgentDefinition.of(
            "bob",
            new CallMethod.Command(
                List.of(host.toString()), CallMethod.Input.STDIN, CallMethod.Output.CLAUDE)));

    try (Run run = begin()) {
      Answer answer = run.ask(Ask.of("bob", "x", "?", folder));

      assertThat(answer.status()).isEqualTo(Status.FAILED);
      assertThat(answer.error()).startsWith("xxxx").hasSizeLessThan(1_000);
    }
  }

  @Test
  void aProgramThatIsNotThereIsAFailureThatNamesIt() throws Exception {
    workshop.agent(AgentDefinition.of("bob", CallMethod.Command.of("no-such-program-of-anybody")));

    try (Run run = begin()) {
      Answer answer = run.ask(Ask.of("bob", "x", "?", folder));
      assertThat(answer.status()).isEqualTo(Status.FAILED);
      assertThat(answer.error()).contains("there is no program no-such-program-of-anybody");
    }
  }

  /**
   * The grandchild has a parent that is gone and a session of its own, and is ended all the same.
   */
  @Test
  void aTimeOutEndsTheWholeTreeGrandchildrenOfDeadParentsIncluded() throws Exception {
    Answer answer =
        ask(
            """
            trap '' TERM
            (sleep 300 & echo $! >child.pid)
            (setsid bash -c 'trap "" TERM; echo $$ >grandchild.pid; sleep 300; sleep 300' &)
            while :; do sleep 300; done
            """,
            Duration.ofSeconds(2));

    assertThat(answer.status()).isEqualTo(Status.TIMED_OUT);
    assertThat(answer.error()).startsWith("no answer within 2 s; its ").endsWith("were ended");
    for (String file : List.of("child.pid", "grandchild.pid")) {
      long pid = Long.parseLong(Files.readString(folder.resolve(file)).strip());
      await().until(() -> !runs(pid));
    }
  }

  private static boolean runs(long pid) throws IOException {
    try {
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Test
  void whatAProgramLeavesRunningIsEndedWithItAndDoesNotHoldTheAnswerUp() throws Exception {
    Answer answer = ask("sleep 300 & echo $! >left.pid; echo done");

    assertThat(answer.text()).isEqualTo("done");
    assertThat(answer.duration()).isLessThan(Duration.ofSeconds(15));
    long pid = Long.parseLong(Files.readString(folder.resolve("left.pid")).strip());
    await().until(() -> !runs(pid));
  }

  @Test
  void anAnswerThatIsTooLongIsCutAndTheProgramIsNotHeldUp() throws Exception {
    workshop.agent("bob", "head -c 100000000 /dev/zero | tr '\\0' x");
    RunLimits limits = RunLimits.DEFAULT.withOutput(1000);
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, limits)) {
      Answer answer = run.ask(Ask.of("bob", "x", "?", folder));
      assertThat(answer.status()).isEqualTo(Status.ANSWERED);
      assertThat(answer.cut()).isTrue();
      assertThat(answer.text()).hasSize(1000);
    }
  }

  @Test
  void bytesThatAreNoTextAreStoredAndComeToNoHarm() throws Exception {
    Answer answer = ask("printf 'a\\377\\000\\033[2Jb'");

    assertThat(answer.text()).isEqualTo("a\ufffd\0\033[2Jb");
  }

  @Test
  void aProgramIsToldWhoItIsAndSeesNoKeysOfOthers() throws Exception {
    workshop.with("OPENAI_API_KEY", "marked-key-1").with("MY_KEY", "marked-key-2");
    workshop.with("THEIR_KEY", "marked-key-3").with("CLAUDECODE", "1");
    Path env = workshop.script("env", "env");
    CallMethod way = CallMethod.Command.of(env.toString());
    workshop
        .agent(new AgentDefinition("bob", way, List.of("MY_KEY"), null, "", Map.of("X", "1"), "t"))
        .agent(new AgentDefinition("eve", way, List.of("THEIR_KEY"), null, "", Map.of(), "t"));

    try (Run run = begin()) {
      String text = run.ask(Ask.of("bob", "debate", "?", folder)).text();
      assertThat(text.lines())
          .contains(
              "PARLEY_AGENT=bob",
              "PARLEY_STAGE=debate",
              "PARLEY_RUN=" + run.id(),
              "RUN_ID=" + run.id(),
              "PARLEY_BUS=" + folder.toRealPath().resolve(".parley"),
              "X=1")
          .noneMatch(line -> line.startsWith("OPENAI_API_KEY") || line.startsWith("THEIR_KEY"))
          .noneMatch(line -> line.startsWith("CLAUDECODE"));
      assertThat(text).contains("MY_KEY=[key removed]").doesNotContain("marked-key");
      assertThat(text).contains("PARLEY_SESSION=[key removed]");
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, ISO_8859_1))
            .as(file.toString())
            .doesNotContain("marked-key");
      }
    }
  }

  @Test
  void everyAskIsOnTheBusWithItsPromptAndItsAnswer() throws Exception {
    workshop.agent("bob", "cat >/dev/null; echo forty-two");
    String id;
    try (Run run = begin()) {
      id = run.id();
      var _ = run.ask(Ask.of("bob", "analysis", "How many?", folder));
      run.end("complete", Json.object().put("answer", 42).build());
    }

    RunRecord record = RunRecord.named(workshop.log(), "last");
    assertThat(record.id()).isEqualTo(id);
    assertThat(record.outcome()).isEqualTo("complete");
    assertThat(record.isAlive()).isFalse();
    RunRecord.Entry ask = record.asks().getFirst();
    assertThat(ask.status()).isEqualTo(Status.ANSWERED);
    assertThat(new String(workshop.contents().load(ask.prompt()), UTF_8)).isEqualTo("How many?");
    assertThat(RunRecord.answer(ask, workshop.contents()).text()).isEqualTo("forty-two");
    Path runFolder = folder.resolve("runs").resolve(id);
    assertThat(runFolder.resolve("prompts/01-analysis-bob.md")).hasContent("How many?");
    assertThat(runFolder.resolve("agent-logs/bob.txt")).content().contains("forty-two");
    assertThat(runFolder.resolve("run.log")).content().contains("asked bob (analysis)");
    assertThat(runFolder.resolve("pid.txt")).doesNotExist();
  }

  @Test
  void aResumedRunAsksOnlyWhatHasNoAnswer() throws Exception {
    workshop.agent("bob", "echo x >>asked; cat >/dev/null; echo \"answer $(wc -l <asked)\"");
    String id;
    try (Run run = begin()) {
      id = run.id();
      var _ = run.note("seed", Json.of(7));
      assertThat(run.ask(Ask.of("bob", "a", "one", folder)).text()).isEqualTo("answer 1");
      assertThat(run.ask(Ask.of("bob", "a", "one", folder)).text()).isEqualTo("answer 2");
    } // as if it had been killed: it never ended

    try (Run run = Run.resume(workshop.context(), id, RunLimits.DEFAULT)) {
      assertThat(run.note("seed", Json.of(8))).isEqualTo(Json.of(7));
      assertThat(run.ask(Ask.of("bob", "a", "one", folder)).text()).isEqualTo("answer 1");
      assertThat(run.ask(Ask.of("bob", "a", "one", folder)).text()).isEqualTo("answer 2");
      assertThat(run.ask(Ask.of("bob", "a", "two", folder)).text()).isEqualTo("answer 3");
      assertThat(run.asksMade()).isEqualTo(1);
      run.end("complete", Json.EMPTY_OBJECT);
    }
    assertThatThrownBy(() -> Run.resume(workshop.context(), id, RunLimits.DEFAULT))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("is complete");
  }

  @Test
  void aRunThatSomebodyWorksOnCanNotBeResumed() {
    try (Run run = begin()) {
      assertThatThrownBy(() -> Run.resume(workshop.context(), run.id(), RunLimits.DEFAULT))
          .hasMessageContaining("being worked on");
      assertThat(RunRecord.named(workshop.log(), run.id()).isAlive()).isTrue();
    }
  }

  @Test
  void aRunThatIsToldToStopEndsItsAsks() throws Exception {
    workshop.agent("bob", "echo $$ >pid; sleep 300");
    try (Run run = begin()) {
      Thread.ofPlatform()
          .start(() -> {
            await().until(() -> Files.exists(folder.resolve("pid")));
            run.say(RunTypes.STOP, Json.EMPTY_OBJECT);
          });
      Answer answer = run.ask(Ask.of("bob", "x", "?", folder));
      assertThat(answer.status()).isEqualTo(Status.STOPPED);
      assertThatThrownBy(() -> run.ask(Ask.of("bob", "x", "!", folder)))
          .hasMessageContaining("was stopped");
    }
  }

  @Test
  void aRunKeepsItsLimitsOnTheBus() throws Exception {
    RunLimits own =
        new RunLimits(Duration.ofSeconds(7), Duration.ofMinutes(8), 9, 1_500_000, 4_000);
    String id;
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, own)) {
      id = run.id();
    }
    assertThat(RunRecord.named(workshop.log(), id).limits()).isEqualTo(own);

    try (Run run = Run.resume(workshop.context(), id, own.withAsks(20))) {
      run.say(RunTypes.RESUME, Json.parse("{\"limits\":{\"asks\":100001}}"));
    }
    assertThat(RunRecord.named(workshop.log(), id).limits()).isEqualTo(own.withAsks(20));
  }

  /** What earlier processes of a run have spent counts. */
  @Test
  void limitsGoOnWhenARunIsResumed() throws Exception {
    workshop.agent("bob", "echo '{\"type\":\"result\",\"result\":\"x\",\"total_cost_usd\":0.6}'");
    CallMethod.Command way = (CallMethod.Command) workshop.context().agents().named("bob").way();
    workshop.agent(
        AgentDefinition.of(
            "bob",
            new CallMethod.Command(way.words(), CallMethod.Input.STDIN, CallMethod.Output.CLAUDE)));
    String id;
    try (Run run = begin()) {
      id = run.id();
      for (String prompt : List.of("1", "2")) {
        assertThat(run.ask(Ask.of("bob", "x", prompt, folder)).ok()).isTrue();
      }
    }
    Duration spent = RunRecord.named(workshop.log(), id).spent();
    assertThat(spent).isPositive();

    assertRefused(id, RunLimits.DEFAULT.withAsks(2), "limit of 2 asks");
    assertRefused(id, RunLimits.DEFAULT.withCost(1_200_000), "has reached its limit of cost");
    assertRefused(id, RunLimits.DEFAULT.withRun(spent), "has reached its limit of time");
    try (Run run = Run.resume(workshop.context(), id, RunLimits.DEFAULT.withAsks(3))) {
      assertThat(run.ask(Ask.of("bob", "x", "1", folder)).ok()).isTrue(); // known: no ask
      assertThat(run.ask(Ask.of("bob", "x", "3", folder)).ok()).isTrue();
      assertThatThrownBy(() -> run.ask(Ask.of("bob", "x", "4", folder)))
          .hasMessageContaining("limit of 3 asks");
      assertThat(run.usage().costMicros()).isEqualTo(1_800_000);
    }
  }

  private void assertRefused(String id, RunLimits limits, String reason) throws Exception {
    try (Run run = Run.resume(workshop.context(), id, limits)) {
      assertThatThrownBy(() -> run.ask(Ask.of("bob", "x", "new", folder)))
          .hasMessageContaining(reason);
    }
  }

  @Test
  void noLimitCanBeExceeded() throws Exception {
    workshop.agent("bob", "echo '{\"type\":\"result\",\"result\":\"x\",\"total_cost_usd\":0.6}'");
    AgentDefinition bob = workshop.context().agents().named("bob");
    CallMethod.Command way = (CallMethod.Command) bob.way();
    workshop.agent(
        AgentDefinition.of(
            "bob",
            new CallMethod.Command(way.words(), CallMethod.Input.STDIN, CallMethod.Output.CLAUDE)));
    RunLimits asks = RunLimits.DEFAULT.withAsks(1);
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, asks)) {
      var _ = run.ask(Ask.of("bob", "x", "1", folder));
      assertThatThrownBy(() -> run.ask(Ask.of("bob", "x", "2", folder)))
          .hasMessageContaining("limit of 1 ask.");
    }
    RunLimits cost = RunLimits.DEFAULT.withCost(1_000_000);
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, cost)) {
      var _ = run.ask(Ask.of("bob", "x", "1", folder));
      var _ = run.ask(Ask.of("bob", "x", "2", folder));
      assertThat(run.usage().costMicros()).isEqualTo(1_200_000);
      assertThatThrownBy(() -> run.ask(Ask.of("bob", "x", "3", folder)))
          .hasMessageContaining("has reached its limit of cost");
    }
    RunLimits time = RunLimits.DEFAULT.withRun(Duration.ofNanos(1));
    try (Run run = Run.begin(workshop.context(), "ask", Json.EMPTY_OBJECT, time)) {
      assertThatThrownBy(() -> run.ask(Ask.of("bob", "x", "1", folder)))
          .hasMessageContaining("has reached its limit of time");
    }
  }
}
