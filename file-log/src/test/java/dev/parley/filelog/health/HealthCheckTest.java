package dev.parley.filelog.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.codec.Resummed;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthCheckTest {
  private static final Map<String, String> NO_SETTINGS = Map.of();
  private static final Topic NOTES = new Topic("notes");

  @TempDir private Path temporary;
  private Path bus;

  @BeforeEach
  void makeABusWithThreeMessages() throws IOException {
    BusFolder folder = BusFolder.init(null, temporary.toRealPath(), NO_SETTINGS).folder();
    bus = folder.path();
    try (FileLog log = folder.openLog()) {
      for (int i = 0; i < 3; i++) {
        log.append(NOTES, List.of(Message.of("alice", "note", Json.of(i))));
      }
    }
  }

  private record Result(boolean healthy, List<Finding> findings) {
    List<Finding> problems() {
      return findings.stream().filter(f -> f.severity() == Finding.Severity.PROBLEM).toList();
    }

    List<String> codes() {
      return problems().stream().map(Finding::code).toList();
    }
  }

  private Result checkup(boolean repair) {
    List<Finding> findings = new ArrayList<>();
    boolean healthy =
        HealthCheck.run(bus, NO_SETTINGS, repair, findings::add, (topic, done, size) -> {});
    return new Result(healthy, findings);
  }

  private void append(String text) throws IOException {
    Files.writeString(bus.resolve("notes.jsonl"), text, StandardOpenOption.APPEND);
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(bus.resolve("notes.jsonl"));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aHealthyBusHasNoProblemsAndTheWayOfWakingIsNamed() {
    Result result = checkup(false);

    assertThat(result.healthy()).isTrue();
    assertThat(result.findings()).extracting(Finding::code).containsExactly("waking");
  }

  @Test
  void damageGapsRepeatsAndLinesOfOtherTopicsAreFoundWithOffsetAndLength() throws IOException {
    List<String> good = lines();
    long end = Files.size(bus.resolve("notes.jsonl"));
    String gap = Resummed.line(good.get(2).replace("\"seq\":3,", "\"seq\":9,"));
    String other = "{\"type\":\"x\",\"topic\":\"other\"}";
    append("garbage\n\n" + good.get(0) + "\n" + gap + "\n" + other + "\n");

    Result result = checkup(false);

    assertThat(result.healthy()).isFalse();
    long repeat = end + "garbage\n\n".length();
    long gapAt = repeat + good.get(0).length() + 1;
    long otherAt = gapAt + gap.length() + 1;
    assertThat(result.problems())
        .extracting(Finding::code, f -> f.place().offset(), f -> f.place().length())
        .containsExactly(
            tuple("damaged-line", end, 7L),
            tuple("repeat", repeat, (long) good.get(0).length()),
            tuple("gap", gapAt, (long) gap.length()),
            tuple("wrong-topic", otherAt, (long) other.length()));
    assertThat(result.problems()).allMatch(f -> f.repair() != null && !f.repaired());
  }

  @Test
  void repairRemembersWhatCanNotBeUndoneAndNewDamageIsAProblemAgain() throws IOException {
    append("garbage\n");
    byte[] before = Files.readAllBytes(bus.resolve("notes.jsonl"));

    assertThat(checkup(true).healthy()).isTrue();
    Result after = checkup(false);

    assertThat(after.healthy()).isTrue();
    assertThat(after.findings())
        .filteredOn(f -> f.code().equals("known"))
        .singleElement()
        .matches(f -> f.severity() == Finding.Severity.NOTE);
    assertThat(Files.readAllBytes(bus.resolve("notes.jsonl"))).isEqualTo(before);
    append("more garbage\n");
    assertThat(checkup(false).codes()).containsExactly("damaged-line");
  }

  @Test
  void aTornTailIsEndedWithANewlineAndNothingElseChanges() throws IOException {
    append("{\"type\":\"to");
    String before = Files.readString(bus.resolve("notes.jsonl"));

    assertThat(checkup(false).codes()).containsExactly("torn-tail");
    assertThat(Files.readString(bus.resolve("notes.jsonl"))).isEqualTo(before);
    Result repaired = checkup(true);

    assertThat(repaired.healthy()).isTrue();
    assertThat(repaired.codes()).containsExactly("torn-tail", "damaged-line");
    assertThat(Files.readString(bus.resolve("notes.jsonl"))).isEqualTo(before + "\n");
    assertThat(checkup(true).problems()).isEmpty();
    assertThat(Files.readString(bus.resolve("notes.jsonl"))).isEqualTo(before + "\n");
  }

  @Test
  void aTailThatLacksOnlyItsNewlineIsWholeAfterTheRepair() throws IOException {
    append("{\"type\":\"whole\"}");

    assertThat(checkup(true).codes()).containsExactly("torn-tail");
    assertThat(checkup(false).findings()).noneMatch(f -> f.code().equals("known"));
  }

  @Test
  void wrongPermissionsAreFoundAndSetRight() throws IOException {
    Files.setPosixFilePermissions(bus, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(
        bus.resolve("notes.jsonl"), PosixFilePermissions.fromString("rw-rw-r--"));

    assertThat(checkup(false).codes()).containsExactly("permissions", "permissions");
    assertThat(mode(bus)).isEqualTo("rwxr-xr-x");
    assertThat(checkup(true).healthy()).isTrue();
    assertThat(mode(bus)).isEqualTo("rwx------");
    assertThat(mode(bus.resolve("notes.jsonl"))).isEqualTo("rw-------");
  }

  @Test
  void linksAndPipesAreProblemsForPeopleAndAreNeverOpened() throws Exception {
    Path target = Files.writeString(temporary.resolve("target"), "secret");
    Files.createSymbolicLink(bus.resolve("link.jsonl"), target);
    Process mkfifo = new ProcessBuilder("mkfifo", bus.resolve("pipe.jsonl").toString()).start();
    assertThat(mkfifo.waitFor(10, TimeUnit.SECONDS)).isTrue();

    Result result = checkup(true);

    assertThat(result.healthy()).isFalse();
    assertThat(result.codes()).containsExactly("unsafe-file", "unsafe-file");
    assertThat(result.problems()).allMatch(f -> f.repair() == null);
    assertThat(target).hasContent("secret");
  }

  @Test
  void strayFilesAreNotedAndLeftAlone() throws IOException {
    Files.createFile(bus.resolve("README"));
    Files.createFile(bus.resolve("not a topic.jsonl"));

    Result result = checkup(true);

    assertThat(result.healthy()).isTrue();
    assertThat(result.findings())
        .filteredOn(f -> f.code().equals("stray-file"))
        .extracting(f -> String.valueOf(f.place().path().getFileName()))
        .containsExactly("README", "not a topic.jsonl");
    assertThat(bus.resolve("README")).exists();
  }

  @Test
  void settingsThatCanNotBeReadOrAreNewerAreFoundThoughTheBusCanNotBeOpened() throws IOException {
    Files.writeString(bus.resolve("bus.json"), "{\"format\":");
    assertThat(BusFolder.locate(null, temporary.toRealPath(), NO_SETTINGS)).isEqualTo(bus);
    assertThat(checkup(true).codes()).containsExactly("bad-bus-json");

    Files.writeString(bus.resolve("bus.json"), "{\"format\":99}");
    assertThat(checkup(true).codes()).containsExactly("newer-format");
  }
}
