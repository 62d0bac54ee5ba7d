package dev.parley.cli.team;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions outlive the process trees that use them: real trees, namespaces, users. */
class SessionsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path temporary;
  private Path folder;
  private int commands;

  @BeforeAll
  static void build() throws Exception {
    try (Launched parley = Launched.parley(Path.of("/"), "--version")) {
      assertThat(parley.answer().exitCode()).isZero();
    }
  }

  @BeforeEach
  void aBus() throws IOException {
    folder = temporary.toRealPath();
    assertThat(new Trial(folder).run("init").exitCode()).isZero();
  }

  private Answer run(Path where, Map<String, String> environment, String... command)
      throws Exception {
    try (Launched launched = Launched.start(where, environment, List.of(command))) {
      return launched.answer();
    }
  }

  /** Runs a command whose shell ends before it does, so that it is left to init. */
  private Answer orphaned(String line) throws Exception {
    Path out = folder.resolve("out-" + ++commands);
    Path done = folder.resolve("done-" + commands);
    String script =
        "(setsid bash -c '%s %s > %s 2>&1 < /dev/null; echo $? > %s.new; mv %s.new %s' &)"
            .formatted(Launched.parley(), line, out, done, done, done);
    var _ = run(folder, Map.of(), "bash", "-c", script);
    Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(done));
    return new Answer(Integer.parseInt(Files.readString(done).strip()), Files.readString(out), "");
  }

  private List<Json> ledger(String type) throws IOException {
    return Files.readAllLines(folder.resolve(".parley/ledger.jsonl"), UTF_8).stream()
        .filter(line -> !line.isEmpty())
        .map(Json::parse)
        .filter(line -> type.equals(text(line, "type")))
        .toList();
  }

  private static String text(Json line, String field) {
    Json value = line.fields().get(field);
    return value == null ? "" : String.valueOf(value.text());
  }

  private Set<String> sessions(String agent) throws IOException {
    return ledger("join").stream()
        .filter(line -> text(line, "sender").equals(agent))
        .map(line -> text(line.fields().get("payload"), "session"))
        .collect(Collectors.toSet());
  }

  @Test
  void locksAndClaimsStayWithANameWhoseProcessTreesEndAfterEachCommand() throws Exception {
    assertThat(orphaned("task add one --title One --as alice").exitCode()).isZero();
    assertThat(orphaned("task claim one --as alice").exitCode()).isZero();
    Answer locked = orphaned("lock a.txt --json --as alice");
    assertThat(locked.exitCode()).as(locked.out()).isZero();

    Answer again = orphaned("lock a.txt --json --as alice");

    assertThat(again.json().get("token")).isEqualTo(locked.json().get("token"));
    assertThat(again.json()).containsEntry("reentered", Json.of(true));
    assertThat(orphaned("task done one --as alice").exitCode()).isZero();
    assertThat(orphaned("unlock a.txt --as alice").exitCode()).isZero();
    assertThat(sessions("alice")).hasSize(1);
    assertThat(ledger("leave")).isEmpty();
  }

  @Test
  void locksStayWithANameWhoseCommandsHaveAPidNamespaceEach() throws Exception {
    String[] apart = {"unshare", "-pf", "--mount-proc"};
    Assumptions.assumeTrue(
        run(folder, Map.of(), "unshare", "-pf", "--mount-proc", "true").exitCode() == 0,
        "a PID namespace can't be made here");
    String parley = Launched.parley().toString();
    Answer locked =
        run(folder, Map.of(), apart[0], apart[1], apart[2], parley, "lock", "a.txt", "--as", "bob");
    assertThat(locked.exitCode()).as(locked.err()).isZero();

    Answer list =
        run(
            folder, Map.of(), apart[0], apart[1], apart[2], parley, "unlock", "a.txt", "--as",
            "bob");

    assertThat(list.exitCode()).as(list.err()).isZero();
    assertThat(sessions("bob")).hasSize(1);
  }

  @Test
  void aServerAHookAndAShellOfOneAgentAreOneSessionAlsoWhenTheyBeginAtOnce() throws Exception {
    String agent =
        """
        import os, subprocess, sys
        parley = os.environ['parley']
        server = subprocess.Popen(['env', parley, 'wait', '--timeout', '20s', '--as', 'carol'])
        hook = subprocess.Popen(['sh', '-c', parley + ' inbox --as carol; true'])
        shell = subprocess.Popen(['bash', '-c', parley + ' lock a.txt --as carol; true'],
                                 start_new_session=True)
        assert hook.wait() == 0 and shell.wait() == 0
        assert subprocess.call([parley, 'send', 'carol', '--as', 'dan', '--body', 'go on']) == 0
        sys.exit(server.wait())
        """;
    Path script = Files.writeString(folder.resolve("agent.py"), agent);
    Answer answer =
        run(folder, Map.of("parley", Launched.parley().toString()), "python3", script.toString());
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("locked a.txt", "go on");
    assertThat(sessions("carol")).hasSize(1);
  }

  @Test
  void commandsOfOneHostSessionAreOneAgentWhereverTheyRun() throws Exception {
    Map<String, String> thread = Map.of("CODEX_THREAD_ID", "thread-1");
    String parley = Launched.parley().toString();
    try (Launched stays =
        Launched.start(
            folder,
            Map.of("CODEX_THREAD_ID", "thread-1", "parley", parley),
            List.of("bash", "-c", "$parley join --as erin; read line; true"))) {
      stays.awaitOutput("erin is here");
      Answer same = run(folder, thread, parley, "lock", "a.txt");
      assertThat(same.exitCode()).as(same.err()).isZero();
      assertThat(sessions("erin")).hasSize(1);
    }
  }

  @Test
  void oneOfTwoLiveShellsWithANameIsRefusedUntilItTakesTheNameOver() throws Exception {
    String stays = "while read line; do eval \"$line\"; echo done-$?; done";
    try (Shell first = new Shell(stays);
        Shell second = new Shell(stays)) {
      first.type("$parley lock a.txt --as alice", "done-0");

      String refused = second.type("$parley join --as alice", "done-3");
      assertThat(refused).contains("alice is here already", "--take-over", folder.toString());
      second.type("$parley join --as alice --take-over", "done-0");

      second.type("$parley lock a.txt", "done-0");
      String ended = first.type("$parley unlock a.txt --as alice", "done-3");
      assertThat(ended).contains("alice is here already");
      assertThat(ledger("join").getLast().fields().get("payload").fields())
          .containsEntry("takeOver", Json.of(true));
      assertThat(sessions("alice")).hasSize(2);
      first.type("$parley inbox --as human", "done-0");
      second.type("$parley inbox --as human", "done-0");
    }
  }

  @Test
  void whoGoesOnInAnotherWorktreeAfterAKillIsToldAndKeepsItsLocks() throws Exception {
    git(folder, "init", "-q");
    git(
        folder,
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x");
    Path other = folder.resolve("other");
    git(folder, "worktree", "add", "-q", other.toString());
    String stays = "while read line; do eval \"$line\"; echo done-$?; done";
    try (Shell pane = new Shell(stays)) {
      pane.type("$parley lock a.txt --as alice", "done-0");
      pane.kill();
    }
    Answer joined =
        run(
            other,
            Map.of("PARLEY_BUS", folder.resolve(".parley").toString()),
            Launched.parley().toString(),
            "join",
            "--as",
            "alice");

    assertThat(joined.exitCode()).as(joined.err()).isZero();
    assertThat(joined.err()).contains("alice continues from another worktree", folder.toString());
    Json resume = ledger("heartbeat").getLast().fields().get("payload");
    assertThat(resume.fields().get("resumed").fields().get("tree"))
        .isEqualTo(Json.of(other.toString()));
    Answer held = new Trial(folder).run("locks", "list", "--json");
    assertThat(held.json()).containsEntry("holder", Json.of("alice"));
    assertThat(sessions("alice")).hasSize(1);
  }

  @Test
  void anotherUserIsKeptOutByTheModesOfTheFiles() throws Exception {
    Assumptions.assumeTrue(
        run(folder, Map.of(), "setpriv", "--reuid=65534", "--clear-groups", "true").exitCode() == 0,
        "another user can't be tried here");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(new Trial(folder).run("join", "--as", "alice").exitCode()).isZero();
    for (String file : List.of(".parley", ".parley/sessions", ".parley/sessions/alice")) {
      Answer answer =
          run(
              Path.of("/"),
              Map.of(),
              "setpriv",
              "--reuid=65534",
              "--clear-groups",
              "sh",
              "-c",
              "ls " + folder.resolve(file) + " && cat " + folder.resolve(file));
      assertThat(answer.exitCode()).as(file).isNotZero();
      assertThat(answer.err()).contains("Permission denied");
    }
  }

  private void git(Path where, String... words) throws Exception {
    String[] command = new String[words.length + 1];
    command[0] = "git";
    System.arraycopy(words, 0, command, 1, words.length);
    Answer answer = run(where, Map.of(), command);
    assertThat(answer.exitCode()).as(answer.err()).isZero();
  }

  /** A shell that stays, and reads what is typed. */
  private final class Shell implements AutoCloseable {
    private final Process process;
    private final Path out;
    private int read;

    Shell(String script) throws IOException {
      out = folder.resolve("shell-" + ++commands);
      ProcessBuilder builder =
          new ProcessBuilder("bash", "-s", "stays")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      builder.environment().keySet().removeAll(List.of("PARLEY_AGENT", "PARLEY_BUS"));
      builder.environment().put("parley", Launched.parley().toString());
      process = builder.start();
      write(script);
    }

    private void write(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
    }

    String type(String line, String end) throws IOException {
      write(line + " < /dev/null");
      Awaitility.await().atMost(PATIENCE).until(() -> said().contains("done-"));
      String said = said();
      assertThat(said).contains(end);
      read += said.length();
      return said;
    }

    private String said() throws IOException {
      return Files.readString(out).substring(read);
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
