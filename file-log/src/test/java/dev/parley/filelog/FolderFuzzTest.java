package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.writer.SipHash;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.health.KnownDamage;
import dev.parley.filelog.health.TopicCheck;
import dev.parley.filelog.store.AuthenticatedFile;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.store.FileViews;
import dev.parley.filelog.store.SessionFiles;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.trust.TrustEntry;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts arbitrary bytes into the files of a bus folder. Unusable content must be refused with a
 * readable error or passed over; nothing else may be thrown. CodecFuzzTest explains the method;
 * {@code ./check --long} searches for new inputs, ten minutes each.
 */
class FolderFuzzTest {
  private static final Topic TOPIC = new Topic("fuzz");
  private static final byte[] SECRET = new byte[SipHash.KEY];

  /** Runs something with a folder that holds one file. */
  private static void with(String name, byte[] content, Action action) throws IOException {
    Path folder = Files.createTempDirectory("folder-fuzz");
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, content);
      action.on(folder);
    } finally {
      TestFolder.delete(folder);
    }
  }

  private interface Action {
    void on(Path folder) throws IOException;
  }

  @FuzzTest(maxDuration = "10m")
  void settingsAreReadOrRefused(byte[] bytes) throws IOException {
    with(
        BusSettings.FILE,
        bytes,
        folder -> {
          try {
            BusSettings settings = BusSettings.read(folder);
            assertThat(settings.format()).isBetween(1, BusSettings.FORMAT);
            assertThat(settings.limits().line()).isPositive();
          } catch (ParleyException e) {
            assertThat(e.code()).isNotEmpty();
            return;
          }
          BusSettings.raiseFormat(folder);
          assertThat(BusSettings.read(folder).format()).isEqualTo(BusSettings.FORMAT);
        });
  }

  @FuzzTest(maxDuration = "10m")
  void aViewIsOursOrNone(byte[] bytes) throws IOException {
    with(
        "views/ledger.json",
        bytes,
        folder -> {
          FileViews views = new FileViews(folder, SECRET);
          byte[] loaded = views.load("ledger");
          boolean isOurs =
              loaded != null
                  && Arrays.equals(new AuthenticatedFile(SECRET).seal("ledger", loaded), bytes);
          assertThat(isOurs).isEqualTo(loaded != null);
          assertThat(views.examine(folder.resolve("views/ledger.json")))
              .isIn((Object[]) FileViews.Trouble.values());
        });
  }

  @FuzzTest(maxDuration = "10m")
  void anEntryOfTheRegistryIsReadOrNone(byte[] bytes) {
    TrustEntry entry = TrustEntry.parse(bytes);
    if (entry != null) {
      assertThat(entry.secret()).hasSize(SipHash.KEY);
      assertThat(entry.mounts()).doesNotContainNull();
    }
  }

  @FuzzTest(maxDuration = "10m")
  void aCursorIsReadOrRefused(byte[] bytes) throws IOException {
    with(
        "cursors/reader.json",
        bytes,
        folder -> {
          try {
            new FileCursors(folder)
                .load("reader")
                .forEach((topic, place) -> {
                  assertThat(Topic.isValid(topic.name())).isTrue();
                  assertThat(place.position().value()).isNotNegative();
                });
          } catch (ParleyException e) {
            assertThat(e.code()).isNotEmpty();
          }
        });
  }

  @FuzzTest(maxDuration = "10m")
  void knownDamageIsReadOrReported(byte[] bytes) throws IOException {
    with(
        KnownDamage.FILE,
        bytes,
        folder -> {
          List<Finding> findings = new ArrayList<>();
          KnownDamage known = KnownDamage.load(folder, findings::add);
          Finding finding =
              Finding.problem(
                  "gap",
                  new Finding.Place(folder, TOPIC, 1, 2),
                  "Lines are missing.",
                  "remember it");
          assertThat(known.judge(finding, true)).isNotNull();
          known.save();
        });
  }

  /** The first line is the name of the file, the rest what is in it. */
  @FuzzTest(maxDuration = "10m")
  void aSessionIsReadOrNone(byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String name = text.lines().findFirst().orElse("").replaceAll("[^ -.0-~]", "");
    if (name.isEmpty() || name.length() > 200 || name.startsWith(".")) {
      return;
    }
    with(
        "sessions/" + name,
        bytes,
        folder -> {
          SessionFiles sessions = new SessionFiles(folder);
          for (SessionFiles.Kept kept : sessions.all()) {
            assertThat(kept.name()).isNotEmpty();
            var _ = sessions.read(kept);
            sessions.forget(kept);
          }
        });
  }

  @FuzzTest(maxDuration = "10m")
  void linesAreReadAlikeFromEveryPlaceAndDoctorAgrees(byte[] bytes) throws IOException {
    with(
        TOPIC + ".jsonl",
        bytes,
        folder -> {
          List<Bookmark> places = new ArrayList<>();
          List<String> lines = new ArrayList<>();
          List<Damage> damage = new ArrayList<>();
          try (FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
            Bookmark place = Bookmark.START;
            while (true) {
              Batch batch = log.read(TOPIC, place, 1);
              places.add(place);
              batch.envelopes().stream().map(Envelope::toString).forEach(lines::add);
              damage.addAll(batch.damage());
              if (batch.next().equals(place)) {
                break;
              }
              place = batch.next();
            }
          }
          for (Bookmark place : places.size() > 20 ? places.subList(0, 20) : places) {
            try (FileLog log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT)) {
              Batch rest = log.read(TOPIC, place, 1 << 20);
              List<String> read = rest.envelopes().stream().map(Envelope::toString).toList();
              assertThat(lines.subList(lines.size() - read.size(), lines.size())).isEqualTo(read);
              assertThat(damage).containsAll(rest.damage());
            }
          }
          List<Finding> findings = new ArrayList<>();
          new TopicCheck(TOPIC, folder.resolve(TOPIC + ".jsonl"), Limits.DEFAULT, (t, d, s) -> {})
              .run(findings::add);
          assertThat(findings)
              .filteredOn(finding -> finding.code().equals("damaged-line"))
              .hasSameSizeAs(damage);
        });
  }
}
