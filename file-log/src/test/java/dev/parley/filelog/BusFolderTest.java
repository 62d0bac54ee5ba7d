package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import dev.parley.filelog.disk.IoErrors;
import dev.parley.filelog.health.FileSystemCheck;
import dev.parley.filelog.testing.BusJson;
import dev.parley.filelog.watch.PollingInterval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BusFolderTest {
  private static final Map<String, String> NO_SETTINGS = Map.of();

  @TempDir private Path temporary;
  private Path home;

  @BeforeEach
  void resolveLinks() throws IOException {
    home = temporary.toRealPath();
  }

  private static void git(Path folder, String... arguments) throws Exception {
    var command = new ArrayList<String>();
    command.add("git");
    command.addAll(List.of("-c", "user.name=t", "-c", "user.email=t@example.org"));
    command.addAll(List.of(arguments));
    Process git =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.waitFor()).as(output).isZero();
  }

  private static Path init(Path folder) {
    return BusFolder.init(null, folder, NO_SETTINGS).folder().path();
  }

  private static Path find(Path folder) {
    return BusFolder.find(null, folder, NO_SETTINGS).path();
  }

  @Test
  void initMakesABusThatIsFoundFromEveryFolderBelow() throws Exception {
    Path deep = Files.createDirectories(home.resolve("a/b/c"));

    BusFolder.Made made = BusFolder.init(null, home, NO_SETTINGS);

    assertThat(made.created()).isTrue();
    assertThat(find(deep)).isEqualTo(home.resolve(".parley"));
    assertThat(BusFolder.init(null, home, NO_SETTINGS).created()).isFalse();
    assertThat(
            Json.parse(Files.readString(home.resolve(".parley/bus.json"))).fields().get("format"))
        .isEqualTo(Json.of(2));
  }

  @Test
  void foldersAre0700AndFiles0600() throws Exception {
    Path bus = init(home);
    try (Bus open = BusFolder.find(null, home, NO_SETTINGS).open(Reporter.TO_LOG)) {
      open.publish(new Topic("a"), Message.of("x", "t", Json.NULL));
    }

    assertThat(permissions(bus)).isEqualTo("rwx------");
    assertThat(permissions(bus.resolve("a.jsonl"))).isEqualTo("rw-------");
    assertThat(permissions(bus.resolve("bus.json"))).isEqualTo("rw-------");
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void whereThereIsNoBusTheErrorLeavesTheCommandToTheSurface() {
    assertThatThrownBy(() -> find(home))
        .isInstanceOfSatisfying(
            ParleyException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ParleyException.Kind.REFUSED);
              assertThat(e.code()).isEqualTo("no-bus");
              assertThat(e.next()).isEqualTo(ParleyException.NEXT_BY_CODE);
            });
    assertThatThrownBy(() -> BusFolder.find(Path.of("x"), home, NO_SETTINGS))
        .hasMessageContaining(home.resolve("x").toString());
  }

  @Test
  void anOptionGoesBeforeParleyBusAndThatBeforeBusDir() {
    Path one = BusFolder.init(Path.of("one"), home, NO_SETTINGS).folder().path();
    Path two = BusFolder.init(Path.of("two"), home, NO_SETTINGS).folder().path();
    Path three = BusFolder.init(Path.of("three"), home, NO_SETTINGS).folder().path();
    init(home);
    Map<String, String> both = Map.of("PARLEY_BUS", "two", "BUS_DIR", "three");

    assertThat(BusFolder.find(one, home, both).path()).isEqualTo(one);
    assertThat(BusFolder.find(null, home, both).path()).isEqualTo(two);
    assertThat(BusFolder.find(null, home, Map.of("BUS_DIR", three.toString())).path())
        .as("seed 0.13")
        .isEqualTo(three);
    assertThat(BusFolder.find(null, home, Map.of("PARLEY_BUS", "")).path())
        .isEqualTo(home.resolve(".parley"));
  }

  @Test
  void aPlainFolderOfTopicsCanBeLookedAt() throws Exception {
    Path folder = Files.createDirectory(home.resolve("conclave"));
    Files.writeString(
        folder.resolve("wave.jsonl"),
        "{\"id\":\"1-1\",\"type\":\"board.warning\",\"payload\":{}}\n");

    try (Bus bus = BusFolder.look(folder, home, NO_SETTINGS).open(Reporter.TO_LOG)) {
      assertThat(bus.feed(Prefix.ALL, FeedStart.BEGINNING).poll()).isNotNull();
    }
  }

  @Test
  void limitsAreSetInBusJson() throws Exception {
    Path bus = init(home);
    BusJson.set(bus, "\"maxLine\":4096,\"maxDepth\":8");

    try (Bus open = BusFolder.find(null, home, NO_SETTINGS).open(Reporter.TO_LOG)) {
      assertThatThrownBy(
              () -> open.publish(new Topic("a"), Message.of("x", "t", Json.of("y".repeat(4096)))))
          .hasMessageContaining("\"most\":4096");
    }
    assertThat(bus.resolve("a.jsonl")).doesNotExist();
  }

  @Test
  void howManyWritersReadersRememberIsSetInBusJson() throws Exception {
    Path bus = init(home);
    for (int writer = 0; writer < 3; writer++) {
      try (Bus open = BusFolder.find(null, home, NO_SETTINGS).open(Reporter.TO_LOG)) {
        var _ = open.publish(new Topic("a"), Message.of("x", "t", Json.of(writer)));
      }
    }
    Path topic = bus.resolve("a.jsonl");
    String first = Files.readAllLines(topic).getFirst();
    Files.writeString(topic, first + "\n", StandardOpenOption.APPEND);

    assertThat(count(bus, 3)).as("the copy is a repeat").isEqualTo(3);
    assertThat(count(bus, 2)).as("its writer is forgotten").isEqualTo(4);
    assertThatThrownBy(() -> count(bus, 0)).hasMessageContaining("\"rememberedWriters\":0");
  }

  @Test
  void howLargeMessagesOfOtherToolsMayBeIsSetInBusJsonAndHasADefault() throws Exception {
    Path bus = init(home);
    assertThat(BusFolder.at(bus, Map.of()).foreignLimits())
        .isEqualTo(new ImportLimits(1000, 128 << 20));
    BusJson.set(bus, "\"maxForeignId\":7,\"maxForeignLine\":2048");
    assertThat(BusFolder.at(bus, Map.of()).foreignLimits()).isEqualTo(new ImportLimits(7, 2048));
    for (String bad : List.of("\"maxForeignId\":0", "\"maxForeignLine\":1023")) {
      BusJson.set(bus, bad);
      assertThatThrownBy(() -> BusFolder.at(bus, Map.of()))
          .hasMessageContaining(bad.replace("\"", "").replace(':', ' '));
    }
  }

  private int count(Path bus, int rememberedWriters) throws Exception {
    BusJson.set(bus, "\"rememberedWriters\":" + rememberedWriters);
    int count = 0;
    try (Bus open = BusFolder.find(null, home, NO_SETTINGS).open(report -> {})) {
      Feed feed = open.feed(Prefix.ALL, FeedStart.BEGINNING);
      while (feed.poll() != null) {
        count++;
      }
    }
    return count;
  }

  @Test
  void aBadOrNewerBusJsonIsRefused() throws Exception {
    Path bus = init(home);
    for (String content :
        new String[] {"", "{", "[]", "{}", "{\"format\":0}", "{\"format\":\"1\"}"}) {
      Files.writeString(bus.resolve("bus.json"), content);
      assertThatThrownBy(() -> find(home))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("bad-bus-json"));
    }
    Files.writeString(bus.resolve("bus.json"), "{\"format\":3}");
    assertThatThrownBy(() -> find(home))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("newer-format"));
  }

  @Test
  void aLinkIsNotFollowedUnlessSomeoneNamesIt() throws Exception {
    Path real = BusFolder.init(Path.of("real"), home, NO_SETTINGS).folder().path();
    Path repo = Files.createDirectory(home.resolve("repo"));
    Files.createSymbolicLink(repo.resolve(".parley"), real);

    assertThatThrownBy(() -> find(repo)).hasMessageContaining("symbolic link");
    assertThat(BusFolder.find(repo.resolve(".parley"), repo, NO_SETTINGS).path()).isEqualTo(real);
  }

  @Test
  void aFolderThatCannotBeWrittenToNamesTheSandboxSettings() {
    ParleyException error =
        catchThrowableOfType(ParleyException.class, () -> init(Path.of("/proc/self")));

    assertThat(error).isNotNull();
    IoErrors trouble =
        IoErrors.writing(home.resolve("a.jsonl"), new AccessDeniedException("a.jsonl"));
    assertThat(trouble.code()).isEqualTo("not-writable");
    assertThat(trouble.next())
        .contains("writable_roots")
        .contains("Claude Code")
        .contains(home.toString());
    assertThat(IoErrors.writing(home.resolve("a"), new IOException("Read-only file system")).code())
        .isEqualTo("not-writable");
  }

  @Nested
  class InGit {
    @Test
    void theBusIsAtTheRootAndOutOfGit() throws Exception {
      git(home, "init", "-q");
      Path sub = Files.createDirectory(home.resolve("src"));

      BusFolder.Made made = BusFolder.init(null, sub, NO_SETTINGS);
      BusFolder.init(null, sub, NO_SETTINGS);

      assertThat(made.folder().path()).isEqualTo(home.resolve(".parley"));
      assertThat(made.excludedIn()).isEqualTo(home.resolve(".git/info/exclude"));
      assertThat(Files.readAllLines(home.resolve(".git/info/exclude")))
          .containsOnlyOnce("/.parley/");
      Process status =
          new ProcessBuilder("git", "status", "--porcelain").directory(home.toFile()).start();
      assertThat(status.getInputStream().readAllBytes()).isEmpty();
    }

    @Test
    void namesInGitsFilesMayBeInAnyEncoding() throws Exception {
      git(home, "init", "-q");
      Path config = home.resolve(".git/config");
      Path exclude = home.resolve(".git/info/exclude");
      Files.writeString(
          config,
          "[user]\n\tname = Müller\n",
          StandardCharsets.ISO_8859_1,
          StandardOpenOption.APPEND);
      Files.createDirectories(exclude.resolveSibling("."));
      Files.writeString(exclude, "Müll", StandardCharsets.ISO_8859_1);

      BusFolder.init(null, home, NO_SETTINGS);
      BusFolder.init(null, home, NO_SETTINGS);

      assertThat(BusFolder.find(null, home, NO_SETTINGS).path()).isEqualTo(home.resolve(".parley"));
      assertThat(Files.readString(exclude, StandardCharsets.ISO_8859_1))
          .isEqualTo("Müll\n/.parley/\n");
    }

    @Test
    void aPathInGitsFilesThatIsNoTextIsRefused() throws Exception {
      Files.writeString(home.resolve(".git"), "gitdir: /Müll", StandardCharsets.ISO_8859_1);

      assertThatThrownBy(() -> BusFolder.init(null, home, NO_SETTINGS))
          .hasMessageContaining(home.resolve(".git") + " is not text in UTF-8");
    }

    @Test
    void allWorktreesShareTheMainOnesBus() throws Exception {
      Path main = Files.createDirectory(home.resolve("main"));
      git(main, "init", "-q");
      git(main, "commit", "-q", "--allow-empty", "-m", "x");
      git(main, "worktree", "add", "-q", "../other", "-b", "other");
      Path inside = Files.createDirectories(main.resolve(".trees"));
      git(main, "worktree", "add", "-q", inside.resolve("inner").toString(), "-b", "inner");

      Path bus = init(home.resolve("other"));

      assertThat(bus).isEqualTo(main.resolve(".parley"));
      assertThat(find(main)).isEqualTo(bus);
      assertThat(find(home.resolve("other"))).isEqualTo(bus);
      assertThat(find(inside.resolve("inner"))).isEqualTo(bus);
      Process status =
          new ProcessBuilder("git", "status", "--porcelain", "--", ".parley")
              .directory(main.toFile())
              .start();
      assertThat(status.getInputStream().readAllBytes()).isEmpty();
    }

    @Test
    void worktreesOfABareRepositoryShareTheOneInIt() throws Exception {
      Path bare = home.resolve("project.git");
      git(home, "init", "-q", "--bare", "project.git");
      git(home, "init", "-q", "seed");
      git(home.resolve("seed"), "commit", "-q", "--allow-empty", "-m", "x");
      git(home.resolve("seed"), "push", "-q", bare.toString(), "HEAD:refs/heads/main");
      git(bare, "worktree", "add", "-q", "../one", "main");
      git(bare, "worktree", "add", "-q", "../two", "-b", "two", "main");

      Path bus = init(home.resolve("one"));

      assertThat(bus).isEqualTo(bare.resolve(".parley"));
      assertThat(find(home.resolve("two"))).isEqualTo(bus);
      assertThat(find(bare)).isEqualTo(bus);
    }

    @Test
    void aHiddenBareRepositoryWithAPointerFileWorksToo() throws Exception {
      Path project = Files.createDirectory(home.resolve("project"));
      git(project, "init", "-q", "--bare", ".bare");
      Files.writeString(project.resolve(".git"), "gitdir: ./.bare\n");
      git(home, "init", "-q", "seed");
      git(home.resolve("seed"), "commit", "-q", "--allow-empty", "-m", "x");
      git(
          home.resolve("seed"),
          "push",
          "-q",
          project.resolve(".bare").toString(),
          "HEAD:refs/heads/main");
      git(project, "worktree", "add", "-q", "main", "main");

      Path bus = init(project);

      assertThat(find(project.resolve("main")))
          .isEqualTo(bus)
          .isEqualTo(project.resolve(".bare/.parley"));
    }
  }

  @Test
  void seed04PollingIntervalsComeFromTheEnvironment() {
    PollingInterval interval =
        PollingInterval.from(Map.of("BUS_POLL_INTERVAL", "50ms", "BUS_POLL_MAX_INTERVAL", "2s"));
    assertThat(interval.first()).hasMillis(50);
    assertThat(interval.longest()).hasMillis(2000);
    assertThat(interval.after(0)).hasMillis(50);
    assertThat(interval.after(4)).hasMillis(50);
    assertThat(interval.after(5)).hasMillis(2000);
    assertThat(PollingInterval.from(Map.of())).isEqualTo(PollingInterval.DEFAULT);
    assertThat(PollingInterval.from(Map.of("BUS_POLL_INTERVAL", "250")).first()).hasMillis(250);
    assertThat(PollingInterval.from(Map.of("BUS_POLL_INTERVAL", "5s")).longest()).hasSeconds(5);
    for (String bad : new String[] {"soon", "-1ms", "0", "1x"}) {
      assertThatThrownBy(() -> PollingInterval.from(Map.of("BUS_POLL_INTERVAL", bad)))
          .isInstanceOf(ParleyException.class);
    }
  }

  @Test
  void aNetworkFileSystemIsRefusedWithTheReasonUnlessToldOtherwise() {
    for (String type : new String[] {"nfs4", "NFS", "cifs", "9p", "fuse.sshfs"}) {
      assertThatThrownBy(() -> FileSystemCheck.check(home, type, BusSettings.DEFAULT, NO_SETTINGS))
          .isInstanceOfSatisfying(
              ParleyException.class,
              e -> {
                assertThat(e.code()).isEqualTo("network-file-system");
                assertThat(e.next()).contains("PARLEY_NETWORK_FS=allow");
              });
      FileSystemCheck.check(home, type, BusSettings.DEFAULT, Map.of("PARLEY_NETWORK_FS", "allow"));
    }
    for (String type : new String[] {"ext4", "tmpfs", "btrfs", "apfs", "overlay"}) {
      FileSystemCheck.check(home, type, BusSettings.DEFAULT, NO_SETTINGS);
    }
  }
}
