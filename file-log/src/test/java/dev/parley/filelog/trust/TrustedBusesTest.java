package dev.parley.filelog.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.BusId;
import dev.parley.filelog.EphemeralBus;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.testing.BusJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which buses are trusted, and where that is stored. */
class TrustedBusesTest {
  private static final TrustedMount MOUNT =
      new TrustedMount("swarm", "swarm", "/repo/.swarm", "swarm");

  @TempDir Path temporary;
  private Path home;
  private Path state;
  private Map<String, String> environment;

  @BeforeEach
  void names() throws IOException {
    home = Files.createDirectory(temporary.toRealPath().resolve("repo"));
    state = temporary.toRealPath().resolve("state/parley");
    environment = Map.of("PARLEY_STATE", state.toString());
  }

  private BusFolder init(Path folder) {
    return BusFolder.init(null, folder, environment).folder();
  }

  private BusFolder find(Path folder) {
    return BusFolder.find(null, folder, environment);
  }

  private static void refused(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ParleyException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.kind()).isEqualTo(ParleyException.Kind.REFUSED);
            });
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.list(state)) {
      return files.filter(file -> file.toString().endsWith(".json")).toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  void aBusThatIsMadeHereIsEnteredAndOurs() throws IOException {
    BusFolder bus = init(home);

    TrustEntry entry = find(home).trust();
    assertThat(entry).isNotNull();
    assertThat(entry).isEqualTo(bus.trust());
    assertThat(entry.path()).isEqualTo(bus.path().toString());
    assertThat(entry.how()).isEqualTo(TrustEntry.How.MADE);
    assertThat(entry.secret()).hasSize(16).isNotEqualTo(new byte[16]);
    assertThat(entry.id()).hasSizeGreaterThanOrEqualTo(16);
    assertThat(entries()).containsExactly(state.resolve(entry.id() + ".json"));
    assertThat(entry.toString()).doesNotContain(entry.hex());
  }

  @Test
  void theRegistryIsForItsOwnerAlone() throws IOException {
    init(home);

    assertThat(permissions(state)).isEqualTo("rwx------");
    assertThat(permissions(entries().getFirst())).isEqualTo("rw-------");
    assertThat(permissions(state.getParent())).isEqualTo("rwx------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aCopyOfABusIsNotOurs() throws IOException {
    Path original = init(home).path();
    Path elsewhere = Files.createDirectory(home.resolveSibling("copy"));

    copy(original, elsewhere.resolve(".parley"));

    refused("not-trusted", () -> find(elsewhere));
    assertThat(find(home).isOurs()).isTrue();
  }

  @Test
  void aBusThatWasMovedIsNotOursUntilItIsBack() throws IOException {
    init(home);
    Path elsewhere = home.resolveSibling("moved");
    Files.move(home, elsewhere);
    refused("not-trusted", () -> find(elsewhere));
    Files.move(elsewhere, home);
    assertThat(find(home).isOurs()).isTrue();
  }

  @Test
  void aBusOfAnotherIdInTheSamePlaceIsNotOurs() throws IOException {
    Path bus = init(home).path();
    Files.writeString(bus.resolve("bus.json"), "{\"format\":1,\"id\":\"" + BusId.random() + "\"}");
    refused("not-trusted", () -> find(home));
    Files.writeString(bus.resolve("bus.json"), "{\"format\":1}");
    refused("not-trusted", () -> find(home));
  }

  @Test
  void anIdThatWouldLeaveTheRegistryIsNone() throws IOException {
    Path bus = init(home).path();
    Path outside = state.resolveSibling("planted.json");
    Files.copy(entries().getFirst(), outside);
    for (String id : List.of("../planted", "planted", "", "a".repeat(65), "AAAAAAAAAAAAAAAAAAAA")) {
      Files.writeString(bus.resolve("bus.json"), "{\"format\":1,\"id\":\"" + id + "\"}");
      refused("not-trusted", () -> find(home));
    }
  }

  @Test
  void initMakesNoBusOfAFolderThatHoldsSomething() throws IOException {
    Path planted = Files.createDirectory(home.resolve(".parley"));
    Files.writeString(planted.resolve("mounts.jsonl"), "{}\n");

    refused("not-trusted", () -> init(home));

    assertThat(planted.resolve("bus.json")).doesNotExist();
    assertThat(state).doesNotExist();
  }

  @Test
  void whatIsNotOursCanBeLookedAtAndNothingIsWritten() throws Exception {
    Path bus = init(home).path();
    try (FileLog log = find(home).openLog()) {
      var _ = log.append(new Topic("notes"), List.of(Message.of("a", "note", Json.EMPTY_OBJECT)));
    }
    Path elsewhere = Files.createDirectory(home.resolveSibling("copy"));
    copy(bus, elsewhere.resolve(".parley"));
    BusJson.set(elsewhere.resolve(".parley"), "\"maxLine\":2048,\"maxContent\":1");

    BusFolder looked = BusFolder.look(null, elsewhere, environment);

    assertThat(looked.isOurs()).isFalse();
    assertThat(looked.trust()).isNull();
    assertThat(looked.mounts()).isEmpty();
    assertThat(looked.limits().line()).as("its settings do not count").isEqualTo(1 << 20);
    looked.views().save("ledger", "{}".getBytes(StandardCharsets.UTF_8));
    try (var open = looked.open(Reporter.TO_LOG)) {
      refused(
          "not-trusted",
          () -> open.publish(new Topic("notes"), Message.of("a", "note", Json.EMPTY_OBJECT)));
    }
    refused("not-registered", () -> looked.mount(mounts -> List.of(MOUNT)));
    try (Stream<Path> files = Files.list(elsewhere.resolve(".parley"))) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrder("bus.json", "notes.jsonl");
    }
  }

  @Test
  void parleyTrustNamesABusForTheProcessThatHasItInItsEnvironment() throws IOException {
    BusFolder made = init(home);
    String id = made.trust().id();
    made.mount(mounts -> List.of(MOUNT));
    Path elsewhere = Files.createDirectory(home.resolveSibling("copy"));
    copy(made.path(), elsewhere.resolve(".parley"));
    for (String named : List.of(id, "x, " + id + ",y")) {
      Map<String, String> trusting = new java.util.HashMap<>(environment);
      trusting.put("PARLEY_TRUST", named);
      BusFolder bus = BusFolder.find(null, elsewhere, trusting);
      assertThat(bus.isOurs()).isTrue();
      assertThat(bus.mounts()).isEmpty();
      refused("not-registered", () -> bus.mount(mounts -> List.of(MOUNT)));
    }
    Map<String, String> other =
        Map.of("PARLEY_STATE", state.toString(), "PARLEY_TRUST", id.substring(1));
    refused("not-trusted", () -> BusFolder.find(null, elsewhere, other));
  }

  @Test
  void parleyTrustNeedsNoRegistry() throws IOException {
    BusFolder made = init(home);
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
    Map<String, String> trusting =
        Map.of("PARLEY_STATE", state.toString(), "PARLEY_TRUST", made.trust().id());
    assertThat(BusFolder.find(null, home, trusting).isOurs()).isTrue();
  }

  @Test
  void aRegistryThatOthersCouldWriteIsNotBelieved() throws IOException {
    init(home);
    Path entry = entries().getFirst();
    for (Path path : List.of(state, entry)) {
      String right = permissions(path);
      for (String wrong : List.of("rwxrwx---", "rwx---rwx", "rwxr-x---")) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(wrong));
        refused("unsafe-registry", () -> find(home));
        assertThat(BusFolder.look(null, home, environment).isOurs()).isFalse();
      }
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(right));
      assertThat(find(home).isOurs()).isTrue();
    }
  }

  @Test
  void aLinkInTheRegistryIsNotFollowed() throws IOException {
    init(home);
    Path entry = entries().getFirst();
    Path real = Files.move(entry, state.resolveSibling("real.json"));
    Files.createSymbolicLink(entry, real);
    refused("unsafe-registry", () -> find(home));
    Files.delete(entry);
    Files.move(real, entry);

    Path folder = Files.move(state, state.resolveSibling("elsewhere"));
    Files.createSymbolicLink(state, folder);
    refused("unsafe-registry", () -> find(home));
    refused("unsafe-registry", () -> init(Files.createDirectory(home.resolve("sub"))));
  }

  @Test
  void aDamagedEntryIsNone() throws IOException {
    init(home);
    Path entry = entries().getFirst();
    String right = Files.readString(entry);
    for (String wrong :
        List.of("", "{", "[]", "{}", right.replaceAll("\"secret\":\"..", "\"secret\":\""))) {
      Files.writeString(entry, wrong);
      refused("not-trusted", () -> find(home));
    }
  }

  @Test
  void entriesOfVanishedFoldersAreDroppedWhenOneIsWritten() throws IOException {
    Path gone = Files.createDirectory(home.resolve("gone"));
    Path stays = Files.createDirectory(home.resolve("stays"));
    BusFolder.init(gone.resolve("bus"), gone, environment);
    BusFolder.init(stays.resolve("bus"), stays, environment);
    Files.delete(gone.resolve("bus/bus.json"));
    Files.delete(gone.resolve("bus"));
    BusFolder.find(stays.resolve("bus"), stays, environment);
    assertThat(entries()).as("reading drops nothing").hasSize(2);

    BusFolder.init(home.resolve("new"), home, environment);

    assertThat(entries()).hasSize(2);
    assertThat(BusFolder.find(stays.resolve("bus"), stays, environment).isOurs()).isTrue();
  }

  @Test
  void aBusThatReplacesAnotherReplacesItsEntry() throws IOException {
    Path bus = init(home).path();
    Files.delete(bus.resolve("bus.json"));
    init(home);
    assertThat(entries()).hasSize(1);
    assertThat(find(home).isOurs()).isTrue();
  }

  @Test
  void ephemeralBusesAreNeverEnteredAndOursWhileTheirOwnerLives() throws Exception {
    Path path = home.resolve("ephemeral");
    try (EphemeralBus ephemeral = EphemeralBus.create(path, environment)) {
      assertThat(ephemeral.folder().isOurs()).isTrue();
      assertThat(BusFolder.find(path, home, environment).isOurs()).isTrue();
      assertThat(state).doesNotExist();
      refused("not-registered", () -> ephemeral.folder().mount(mounts -> List.of(MOUNT)));
      copy(path, home.resolve("copied"));
    }
    refused("not-trusted", () -> BusFolder.find(home.resolve("copied"), home, environment));
  }

  @Test
  void mountsAreKeptInTheEntry() {
    BusFolder bus = init(home);
    bus.mount(mounts -> List.of(MOUNT));
    assertThat(bus.mounts()).containsExactly(MOUNT);
    assertThat(find(home).mounts()).containsExactly(MOUNT);
    assertThat(find(home).trust().secret()).isEqualTo(bus.trust().secret());
  }

  @Test
  void manyThatChangeAnEntryAtOnceLoseNothing() throws Exception {
    BusFolder bus = init(home);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      TrustedMount mount = new TrustedMount("m" + i, "swarm", "/repo/" + i, "swarm");
      threads.add(
          Thread.ofPlatform()
              .start(() ->
                  find(home)
                      .mount(mounts -> {
                        List<TrustedMount> more = new ArrayList<>(mounts);
                        more.add(mount);
                        return more;
                      })));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(bus.mounts()).hasSize(8);
  }

  @Test
  void manyThatMakeTheSameBusAtOnceMakeOne() throws Exception {
    ConcurrentLinkedQueue<BusFolder.Made> made = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform().start(() -> made.add(BusFolder.init(null, home, environment))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(made).hasSize(8).allMatch(one -> one.folder().isOurs());
    assertThat(made.stream().filter(BusFolder.Made::created)).hasSize(1);
    assertThat(made.stream().map(one -> one.folder().trust().id()).distinct()).hasSize(1);
  }

  @Test
  void theFolderIsParleyStateElseThatOfXdgElseTheAccountsHome() {
    Path account = Path.of(System.getProperty("user.home"));
    assertThat(TrustedBuses.of(Map.of("PARLEY_STATE", "/a/b", "XDG_STATE_HOME", "/c")).folder())
        .isEqualTo(Path.of("/a/b"));
    assertThat(TrustedBuses.of(Map.of("XDG_STATE_HOME", "/c")).folder())
        .isEqualTo(Path.of("/c/parley"));
    for (Map<String, String> none :
        List.of(
            Map.<String, String>of(),
            Map.of("HOME", "/elsewhere"),
            Map.of("PARLEY_STATE", "", "XDG_STATE_HOME", "relative"))) {
      assertThat(TrustedBuses.of(none).folder()).isEqualTo(account.resolve(".local/state/parley"));
    }
    refused("bad-state-folder", () -> TrustedBuses.of(Map.of("PARLEY_STATE", "state")));
  }
}
