package dev.parley.dialects.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.roster.Status;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seed 1.5: what a worker does, as the design's function and real workers write it. */
class WorkerStatusTest {
  private static final Instant HEARD = Instant.parse("2026-02-01T12:00:00Z");

  private static WorkerStatus status(String json) {
    return WorkerStatus.of(Json.parse(json));
  }

  private static WorkerStatus at(Instant heard) {
    return new WorkerStatus("1.1", Status.RUNNING, 40, heard);
  }

  @Test
  void theDesignsOwnEntryIsRead() {
    WorkerStatus status =
        status(
            "{\"task_id\":\"1.1\",\"status\":\"RUNNING\",\"progress_pct\":40,\"last_heartbeat\":\"2026-02-01T12:00:00Z\"}");

    assertThat(status).isEqualTo(at(HEARD));
    assertThat(WorkerStatus.of(status.over(null))).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, RUNNING",
    "COMPLETE, COMPLETE",
    "FAILED, FAILED",
    "BLOCKED, BLOCKED",
    "COMPLETED, COMPLETE",
    "completed, COMPLETE"
  })
  void everyWordOfTheDesignAndOfRealWorkersIsKnown(String word, Status meant) {
    assertThat(status("{\"status\":\"" + word + "\"}").status()).isEqualTo(meant);
    assertThat(status("\"" + word + "\"").status()).isEqualTo(meant);
  }

  @Test
  void whatIsMissingOrNonsenseSaysNothing() {
    for (String json : new String[] {"{}", "7", "[]", "{\"status\":7,\"task_id\":[]}"}) {
      WorkerStatus status = status(json);
      assertThat(status).isEqualTo(new WorkerStatus("", null, -1, null));
      assertThat(status.beat().task()).isNull();
      assertThat(status.beat().progress()).isNull();
      assertThat(status.isStale(Instant.MAX, Duration.ZERO)).isFalse();
    }
    assertThat(status("{\"progress_pct\":9999}").progress()).isEqualTo(100);
  }

  @Test
  void aWorkerIsStaleWhenItWasSilentForTheTime() {
    assertThat(at(HEARD).isStale(HEARD.plusSeconds(599), Duration.ofMinutes(10))).isFalse();
    assertThat(at(HEARD).isStale(HEARD.plusSeconds(600), Duration.ofMinutes(10))).isTrue();
  }

  @Test
  void aHeartbeatAloneIsNewsOnlyAfterAWhile() {
    assertThat(at(HEARD.plusSeconds(29)).isNoNewsAfter(at(HEARD))).isTrue();
    assertThat(at(HEARD.plusSeconds(30)).isNoNewsAfter(at(HEARD))).isFalse();
    assertThat(new WorkerStatus("1.1", Status.RUNNING, 41, HEARD).isNoNewsAfter(at(HEARD)))
        .isFalse();
    assertThat(new WorkerStatus("1.1", Status.BLOCKED, 40, HEARD).isNoNewsAfter(at(HEARD)))
        .isFalse();
    assertThat(new WorkerStatus("1.2", Status.RUNNING, 40, HEARD).isNoNewsAfter(at(HEARD)))
        .isFalse();
  }

  @Test
  void whatWeDoNotKnowOfStaysInTheEntry() {
    assertThat(at(HEARD).over(Json.parse("{\"model\":\"big\",\"status\":\"FAILED\"}")).fields())
        .containsEntry("model", Json.of("big"))
        .containsEntry("status", Json.of("RUNNING"));
  }
}
