package dev.parley.coordination.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.LockRequest;
import dev.parley.core.Log;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.trust.TrustPreview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole bus as the commands of 2026-11-18 left it, before there was a library: topics, views and
 * a long body. What that version made of its topics is in its views.
 */
class OldBusTest {
  private static final Path OLD = Path.of("src/test/resources/bus-of-2026-11-18");

  @TempDir Path temporary;
  private Path folder;
  private BusFolder bus;

  @BeforeEach
  void copyAndTrust() throws IOException {
    folder = temporary.resolve(".parley");
    copy(OLD);
    Map<String, String> environment = Map.of("PARLEY_STATE", temporary.toString());
    var _ = TrustPreview.of(BusFolder.look(folder, temporary, environment), environment).accept();
    bus = BusFolder.find(folder, temporary, environment);
    copy(OLD.resolve("views")); // trusting a bus drops views that others may have made
  }

  private void copy(Path what) throws IOException {
    try (Stream<Path> files = Files.walk(what)) {
      for (Path file : files.toList()) {
        Path to = folder.resolve(OLD.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  @Test
  void itsTopicsAreFoldedToWhatItsViewsSay() throws IOException {
    Json ledger = oldView("ledger-4");
    Json carol = oldView("mailbox.carol");
    cutToWhatWasRead(ledger);
    cutToWhatWasRead(carol);
    try (Log log = bus.openLog()) {
      BusOfRules1Test.holds(state(ledger), fold(log, Views.inMemory(), Ledger.KIND).save());
      BusOfRules1Test.holds(state(carol), fold(log, Views.inMemory(), Mailbox.of("carol")).save());
    }
  }

  private static Json oldView(String name) throws IOException {
    return Json.parse(Files.readString(OLD.resolve("views").resolve(name + ".json")));
  }

  private static Json state(Json view) {
    return view.fields().get("state");
  }

  private void cutToWhatWasRead(Json view) throws IOException {
    for (Map.Entry<String, Json> topic : view.fields().get("topics").fields().entrySet()) {
      Path file = folder.resolve(topic.getKey() + ".jsonl");
      int read = (int) topic.getValue().fields().get("position").number(-1);
      if (Files.exists(file)) {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), read));
      }
    }
  }

  private static <F extends Fold> F fold(Log log, Views views, Fold.Kind<F> kind) {
    return new FoldReader<>(log, views, report -> {}, kind).refresh();
  }

  @Test
  void itsViewsMisleadNobody() {
    try (Log log = bus.openLog()) {
      for (Fold.Kind<?> kind : List.of(Ledger.KIND, Mailbox.of("carol"), Mailbox.of("alice"))) {
        assertThat(fold(log, bus.views(), kind).save())
            .isEqualTo(fold(log, Views.inMemory(), kind).save());
      }
    }
  }

  @Test
  void itsMailIsRead() {
    try (Log log = bus.openLog()) {
      Team team = team(log);
      List<ReceivedMail> letters = team.lookAtInbox("alice");
      assertThat(letters).extracting(one -> one.content().subject()).containsExactly("Long", "");
      assertThat(letters.getLast().content().body()).isEqualTo("8080");
      assertThat(team.whole(letters.getFirst()).content().body().strip())
          .isEqualTo("parley ".repeat(1500).strip());
      assertThat(team.lookAtInbox("carol")).hasSize(68);
    }
  }

  @Test
  void agentsGoOnWithIt() {
    try (Log log = bus.openLog()) {
      int before = WholeTopic.of(log, Ledger.TOPIC).size();
      Team team = team(log);
      Session dora = team.join("dora");
      var _ = team.locks(dora).lock(LockRequest.of("x"));

      assertThat(WholeTopic.of(log, new Topic("ledger"))).hasSizeGreaterThan(before + 1);
      Ledger ledger = fold(log, Views.inMemory(), Ledger.KIND);
      assertThat(ledger.rules()).isEqualTo(Ledger.RULES);
      assertThat(ledger.tasks().task("1.1").state()).isEqualTo(TaskState.DONE);
      assertThat(ledger.tasks().task("1.3").state()).isEqualTo(TaskState.FAILED);
      assertThat(ledger.boards().meeting("board-1").ballots()).containsOnlyKeys("bob");
      assertThat(ledger.leases().all()).extracting(lease -> lease.holder()).contains("dora");
    }
  }

  private Team team(Log log) {
    return new Team(log, Views.inMemory(), bus.contents(), report -> {}, InstantSource.system());
  }
}
