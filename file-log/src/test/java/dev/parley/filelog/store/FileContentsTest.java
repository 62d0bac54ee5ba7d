package dev.parley.filelog.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.core.store.Contents;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.Durability;
import dev.parley.filelog.health.HealthCheck;
import dev.parley.filelog.testing.BusJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A content that is too long for a line is returned unchanged, or not at all. */
class FileContentsTest {
  private static final byte[] TEXT = "a long text".getBytes(UTF_8);
  private static final int LIMIT = 100;

  @TempDir private Path temporary;
  private Path bus;
  private Contents contents;

  @BeforeEach
  void aBus() throws IOException {
    bus = BusFolder.init(null, temporary.toRealPath(), Map.of()).folder().path();
    contents = new FileContents(bus, LIMIT, Durability.OS);
  }

  private Path file(String digest) {
    return bus.resolve("content").resolve(digest.substring("sha256:".length()));
  }

  private static void fails(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).as(e.what()).isEqualTo(code));
  }

  private List<String> codes() {
    List<String> codes = new ArrayList<>();
    HealthCheck.run(bus, Map.of(), false, it -> codes.add(it.code()), (topic, done, size) -> {});
    codes.remove("waking");
    return codes;
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void whatWasStoredComesBackAndOnlyItsOwnerCanReadIt(Durability durability) throws IOException {
    contents = new FileContents(bus, LIMIT, durability);

    String digest = contents.store(TEXT);

    assertThat(digest).isEqualTo(Contents.digest(TEXT));
    assertThat(contents.load(digest)).isEqualTo(TEXT);
    assertThat(Files.readAllBytes(file(digest))).isEqualTo(TEXT);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file(digest))))
        .isEqualTo("rw-------");
    assertThat(contents.store(TEXT)).isEqualTo(digest);
    try (Stream<Path> files = Files.list(file(digest).getParent())) {
      assertThat(files).hasSize(1);
    }
    assertThat(codes()).isEmpty();
  }

  @Test
  void damageIsNoticedByReadersAndTheDoctorAndHealedByStoringAgain() throws IOException {
    String digest = contents.store(TEXT);
    Files.writeString(file(digest), "a long tex!");

    fails("content-damaged", () -> contents.load(digest));
    assertThat(codes()).containsExactly("content-damaged");
    Files.writeString(file(digest), "");
    fails("content-damaged", () -> contents.load(digest));

    contents.store(TEXT);
    assertThat(contents.load(digest)).isEqualTo(TEXT);
    assertThat(codes()).isEmpty();
  }

  @Test
  void whatIsNotThereIsMissing() {
    fails("content-missing", () -> contents.load(Contents.digest(TEXT)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sha256:", "sha256:../../bus.json", "md5:00", "sha256:ABC"})
  void nothingIsNamedAfterWhatIsNoDigest(String digest) {
    fails("bad-digest", () -> contents.load(digest));
  }

  @Test
  void theLimitIsTheMostThatIsTaken() {
    assertThat(contents.load(contents.store(new byte[LIMIT]))).hasSize(LIMIT);
    fails("content-too-long", () -> contents.store(new byte[LIMIT + 1]));
  }

  @Test
  void theLimitIsSetInBusJsonAndHasADefault() throws IOException {
    assertThat(BusFolder.at(bus, Map.of()).contents().limit()).isEqualTo(64 << 20);
    BusJson.set(bus, "\"maxContent\":7");
    assertThat(BusFolder.at(bus, Map.of()).contents().limit()).isEqualTo(7);
    BusJson.set(bus, "\"maxContent\":-1");
    fails("bad-limits", () -> BusFolder.at(bus, Map.of()));
  }

  @Test
  void whatAKilledWriterLeftBehindDoesNoHarm() throws IOException {
    String digest = contents.store(TEXT);
    Files.writeString(file(digest).resolveSibling(".123.tmp"), "a lo");

    assertThat(contents.load(digest)).isEqualTo(TEXT);
    assertThat(codes()).containsExactly("stray-file");
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    String digest = contents.store(TEXT);
    Path elsewhere = temporary.resolve("elsewhere");
    Files.move(file(digest), elsewhere);
    Files.createSymbolicLink(file(digest), elsewhere);

    fails("unsafe-file", () -> contents.load(digest));
    fails("unsafe-file", () -> contents.store(TEXT));
    assertThat(codes()).containsExactly("unsafe-file");
  }
}
