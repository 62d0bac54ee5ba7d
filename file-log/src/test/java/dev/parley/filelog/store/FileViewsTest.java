package dev.parley.filelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.core.store.Views;
import dev.parley.core.writer.SipHash;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.health.Finding;
import dev.parley.filelog.health.HealthCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileViewsTest {
  private static final byte[] VIEW =
      "{\"places\":[],\"state\":{\"leases\":[\"alice\"]}}".getBytes(StandardCharsets.UTF_8);

  @TempDir Path bus;

  private final byte[] secret = secret(7);

  private static byte[] secret(int first) {
    byte[] secret = new byte[SipHash.KEY];
    Arrays.fill(secret, (byte) first);
    return secret;
  }

  private Path file(String name) {
    return bus.resolve("views").resolve(name + ".json");
  }

  @Test
  void aViewIsReadBackAndItsFileIsJson() throws IOException {
    Views views = new FileViews(bus, secret);
    views.save("ledger", VIEW);
    assertThat(views.load("ledger")).isEqualTo(VIEW);
    assertThat(Files.readString(file("ledger")))
        .matches("\\{\"digest\":\"[0-9a-f]{16}\",\"content\":\\{.*}}");
  }

  @Test
  void aViewWithAnyBitChangedIsNone() throws IOException {
    Views views = new FileViews(bus, secret);
    views.save("ledger", VIEW);
    byte[] original = Files.readAllBytes(file("ledger"));
    for (int bit = 0; bit < Byte.SIZE * original.length; bit++) {
      byte[] flipped = original.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      Files.write(file("ledger"), flipped);
      assertThat(views.load("ledger")).as("bit %d", bit).isNull();
    }
    Files.write(file("ledger"), original);
    assertThat(views.load("ledger")).isEqualTo(VIEW);
  }

  @Test
  void aViewThatIsCutOrOfAnotherNameOrSecretOrVersionIsNone() throws IOException {
    Views views = new FileViews(bus, secret);
    views.save("ledger", VIEW);
    byte[] original = Files.readAllBytes(file("ledger"));
    assertThat(new FileViews(bus, secret(8)).load("ledger")).isNull();
    Files.copy(file("ledger"), file("mounts"));
    assertThat(views.load("mounts")).isNull();
    for (int length = 0; length < original.length; length++) {
      Files.write(file("ledger"), Arrays.copyOf(original, length));
      assertThat(views.load("ledger")).isNull();
    }
    Files.write(file("ledger"), VIEW);
    assertThat(views.load("ledger")).as("as an earlier version wrote it").isNull();
  }

  @Test
  void doctorNamesViewsThatWereChangedAndDeletesThem() throws IOException {
    BusFolder folder = BusFolder.init(bus.resolve("b"), bus, Map.of()).folder();
    folder.views().save("ledger", VIEW);
    folder.views().save("good", VIEW);
    Path views = folder.path().resolve("views");
    Path changed = views.resolve("ledger.json");
    Files.writeString(changed, Files.readString(changed).replace("alice", "mallo"));
    Files.write(views.resolve("old.json"), VIEW);
    Files.setPosixFilePermissions(views.resolve("old.json"), SafeFiles.FILE);

    List<Finding> findings = new ArrayList<>();
    assertThat(HealthCheck.run(folder.path(), Map.of(), false, findings::add, (t, d, s) -> {}))
        .isFalse();
    assertThat(findings).extracting(Finding::code).contains("view-changed", "old-view");
    assertThat(findings)
        .filteredOn(finding -> finding.code().equals("view-changed"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.place().path()).isEqualTo(changed));

    assertThat(HealthCheck.run(folder.path(), Map.of(), true, f -> {}, (t, d, s) -> {})).isTrue();
    assertThat(changed).doesNotExist();
    assertThat(folder.views().load("good")).isEqualTo(VIEW);
  }

  @Test
  void whateverIsInTheFileNothingIsThrown() throws IOException {
    Random random = Seed.random("views");
    FileViews views = new FileViews(bus, secret);
    views.save("ledger", VIEW);
    for (int i = 0; i < 500; i++) {
      byte[] junk = new byte[random.nextInt(100)];
      random.nextBytes(junk);
      Files.write(file("ledger"), junk);
      assertThat(views.load("ledger")).isNull();
      assertThat(views.examine(file("ledger"))).isNotEqualTo(FileViews.Trouble.NONE);
    }
  }
}
