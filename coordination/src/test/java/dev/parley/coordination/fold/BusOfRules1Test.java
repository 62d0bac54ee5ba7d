package dev.parley.coordination.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.work.LockRequest;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A bus that commands of the last version with rules 1 wrote, one of them with a clock that was
 * five hours ahead, and what that version made of it ({@code *.json}).
 */
class BusOfRules1Test {
  private static final Path BUS = Path.of("src/test/resources/bus-of-rules-1");

  @TempDir Path folder;

  private Log copy() throws IOException {
    try (Stream<Path> files = Files.list(BUS)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    return new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
  }

  private static <F extends Fold> F fold(Log log, Fold.Kind<F> kind) {
    return new FoldReader<>(log, Views.inMemory(), report -> {}, kind).refresh();
  }

  private static Json expected(String name) throws IOException {
    return Json.parse(Files.readString(BUS.resolve(name + ".json")).strip());
  }

  @Test
  void itFoldsToWhatItFoldedToThen() throws IOException {
    try (Log log = copy()) {
      holds(expected("ledger"), fold(log, Ledger.KIND).save());
      for (String agent : List.of("alice", "bob")) {
        holds(expected("mailbox." + agent), fold(log, Mailbox.of(agent)).save());
      }
    }
  }

  /** All that was known then is known now; a state may have learned more since. */
  static void holds(Json then, Json now) {
    char kind = then.toString().charAt(0);
    if (kind == '{') {
      then.fields()
          .forEach((key, value) -> {
            assertThat(now.fields()).containsKey(key);
            holds(value, now.fields().get(key));
          });
    } else if (kind == '[') {
      assertThat(now.items()).hasSameSizeAs(then.items());
      for (int i = 0; i < then.items().size(); i++) {
        holds(then.items().get(i), now.items().get(i));
      }
    } else {
      assertThat(now).isEqualTo(then);
    }
  }

  @Test
  void theFirstWhoDecidesSomethingSwitchesItsRulesAndTheTimeGoesOnFromWhereItWas()
      throws IOException {
    try (Log log = copy()) {
      Instant then = fold(log, Ledger.KIND).time().now();
      assertThat(fold(log, Ledger.KIND).rules()).isEqualTo(1);
      // This clock says nothing of when the bus was used last.
      InstantSource wall = () -> Instant.parse("2031-01-01T00:00:00Z");
      Team team = new Team(log, Views.inMemory(), report -> {}, wall);

      Session dora = team.join("dora");
      var _ = team.locks(dora).lock(LockRequest.of("x").lasting(Duration.ofSeconds(5)));

      Ledger ledger = fold(log, Ledger.KIND);
      assertThat(ledger.rules()).isEqualTo(Ledger.RULES);
      assertThat(ledger.time().isOfBootClock()).isTrue();
      assertThat(ledger.time().now()).isBetween(then, then.plusSeconds(60));
      assertThat(ledger.leases().all()).extracting(lease -> lease.holder()).contains("carol");
    }
  }
}
