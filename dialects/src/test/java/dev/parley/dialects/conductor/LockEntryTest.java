package dev.parley.dialects.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.json.Json;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Seed 1.4: a lock as the design's functions and real workers write it. */
class LockEntryTest {
  private static final Instant NOW = Instant.parse("2026-02-01T12:00:00Z");

  @Test
  void theDesignsOwnEntryIsRead() {
    LockEntry entry =
        LockEntry.of(
            "./src/a.ts",
            Json.parse(
                "{\"worker_id\":\"worker-1.1-x\",\"acquired_at\":\"2026-02-01T11:59:00.123456Z\",\"expires_at\":\"2026-02-01T12:29:00.123456Z\"}"));

    assertThat(entry.path()).isEqualTo("src/a.ts");
    assertThat(entry.key()).isEqualTo("./src/a.ts");
    assertThat(entry.worker()).isEqualTo("worker-1.1-x");
    assertThat(entry.isLive(NOW)).isTrue();
    assertThat(entry.isLive(Instant.parse("2026-02-01T12:29:00.123456Z"))).isFalse();
  }

  @Test
  void aBareNameIsALockThatLastsWhileItStands() {
    LockEntry entry = LockEntry.of("a", Json.of("worker-2"));

    assertThat(entry.worker()).isEqualTo("worker-2");
    assertThat(entry.isLive(Instant.MAX)).isTrue();
  }

  @Test
  void anInvalidAgentNameStandsForTheDesignItself() {
    assertThat(LockEntry.of("a", Json.of("no name!")).worker()).isEqualTo("conductor");
    assertThat(LockEntry.of("a", Json.of(7)).worker()).isEqualTo("conductor");
  }

  @Test
  void whatIsNoPathInsideAWorkingTreeCannotBeHeld() {
    Json worker = Json.of("w");
    Map<String, Json> file =
        Map.of("src/[a].ts", worker, "../x", worker, "/etc/x", worker, "", worker, "a//b", worker);

    assertThat(LockEntry.all(file)).containsOnlyKeys("src/[a].ts");
  }

  @Test
  void whatWeDoNotKnowOfStaysInTheEntry() {
    Json before = Json.parse("{\"worker_id\":\"w\",\"why\":\"refactoring\"}");
    LockEntry entry = LockEntry.of("a", before);

    Json longer = entry.lasting(NOW, before);

    assertThat(longer.fields()).containsEntry("why", Json.of("refactoring"));
    assertThat(LockEntry.of("a", longer).expires()).isEqualTo(NOW);
    assertThat(
            LockEntry.of("a", LockEntry.of("a", longer).lasting(NOW.minusSeconds(9), longer))
                .expires())
        .isEqualTo(NOW);
  }
}
