package dev.parley.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes whose wall clocks are wrong ({@code faketime}), on one bus. */
class ClocksIT {
  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void aBus() throws Exception {
    folder = temporary.toRealPath();
    assertThat(run("+0", "parley", "init").exitCode()).isZero();
  }

  /** Runs a command as an agent whose wall clock is off. */
  private Answer run(String off, String agent, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (!off.equals("+0")) {
      command.addAll(List.of("faketime", "-f", off));
    }
    command.add(Launched.parley().toString());
    command.addAll(List.of(args));
    Map<String, String> environment =
        Map.of(
            "PARLEY_AGENT",
            agent,
            "PARLEY_SESSION",
            agent + ":" + agent.substring(0, 1).repeat(32),
            "NO_FAKE_STAT",
            "1");
    try (Launched parley = Launched.start(folder, environment, command)) {
      return parley.answer();
    }
  }

  @Test
  void aProcessFiveHoursAheadCanNotHaveALiveLockAndALockOf5SecondsLasts5Seconds() throws Exception {
    assertThat(run("+0", "alice", "lock", "a", "--ttl", "2h").exitCode()).isZero();

    Answer refused = run("+5h", "bob", "--json", "lock", "a");
    assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(3);
    assertThat(refused.json().get("holder")).isEqualTo(Json.of("alice"));
    // Twice, as one who confirms what it said itself.
    assertThat(run("+5h", "bob", "lock", "a").exitCode()).isEqualTo(3);
    assertThat(run("-5h", "carol", "lock", "a").exitCode()).isEqualTo(3);
    Answer again = run("+0", "alice", "lock", "a", "--ttl", "2h");
    assertThat(again.out()).as(again.toString()).contains("You already held it");

    // The lock of one whose clock is wrong lasts as long as any other.
    long before = System.nanoTime();
    assertThat(run("+5h", "bob", "lock", "b", "--ttl", "5s").exitCode()).isZero();
    long after = System.nanoTime();
    assertThat(run("-5h", "carol", "lock", "b").exitCode()).isEqualTo(3);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> run("-5h", "carol", "lock", "b", "--ttl", "5s").exitCode() == 0);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofSeconds(5));
    assertThat(Duration.ofNanos(System.nanoTime() - after)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void whoWaitsWithAWrongClockIsServedWhenTheLockEnds() throws Exception {
    assertThat(run("-3d", "alice", "lock", "a", "--ttl", "3s").exitCode()).isZero();
    long begun = System.nanoTime();

    Answer waited = run("+5h", "bob", "lock", "a", "--wait", "60s");

    assertThat(waited.exitCode()).as(waited.toString()).isZero();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
  }

  /** Whoever forges a line does it well. */
  private static String summed(String line) {
    CRC32C sum = new CRC32C();
    sum.update(line.getBytes(StandardCharsets.UTF_8));
    return line + ",\"sum\":\"%08x\"}\n".formatted(sum.getValue());
  }

  @Test
  void aForgedClockIsNoticedByTheNextCommandAndWhoLostSomethingIsTold() throws Exception {
    assertThat(run("+0", "alice", "lock", "a", "--ttl", "1h").exitCode()).isZero();
    Path ledger = folder.resolve(".parley/ledger.jsonl");
    String line = Files.readAllLines(ledger).getLast();
    String clock = Json.parse(line).fields().get("clock").text();
    String boot = clock.substring(0, clock.indexOf(':'));
    long millis = Long.parseLong(clock.substring(clock.indexOf(':') + 1));
    String forged =
        "{\"id\":\"zzzzzzzzzzzzzzzz-1\",\"seq\":1,\"timestamp\":\"2026-11-15T21:28:00.123456Z\","
            + "\"sender\":\"zed\",\"topic\":\"ledger\",\"type\":\"tick\",\"payload\":{},\"clock\":\""
            + boot
            + ":"
            + (millis + 7_200_000)
            + "\"";
    Files.writeString(ledger, summed(forged), StandardOpenOption.APPEND);

    Answer next = run("+0", "bob", "lock", "b", "--ttl", "5s");

    assertThat(next.exitCode()).as(next.toString()).isZero();
    assertThat(next.err()).contains("the clock of ledger@").contains("is ahead of what it can be");
    assertThat(Files.readString(ledger)).contains("clock.correct");
    Answer told = run("+0", "alice", "inbox");
    assertThat(told.out()).contains("clock-corrected").contains("A clock was wrong");
    assertThat(run("+0", "bob", "locks", "list").err()).isEmpty();
    Answer doctor = run("+0", "bob", "doctor");
    assertThat(doctor.exitCode()).as(doctor.toString()).isZero();
    assertThat(doctor.out()).contains("was ahead of the real time. bob excluded it");
  }
}
