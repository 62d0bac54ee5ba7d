package dev.parley.cli.mcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real server of parley serve, which logs all that it can. */
@Timeout(200)
class ServeSecurityIT {
  private static final int MOST_BYTES = 5_000;

  /** As the kernel writes it, also for a socket of both families. */
  private static final Set<String> LOOPBACK =
      Set.of("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000");

  @TempDir Path temp;
  private Path repo;
  private Path state;
  private Path log;
  private Launched server;
  private int port;
  private String alice;
  private String bob;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    state = temp.resolve("state");
    log = temp.resolve("all.log");
    Path logging = temp.resolve("logging.properties");
    Files.writeString(
        logging,
        """
        handlers = java.util.logging.ConsoleHandler, java.util.logging.FileHandler
        .level = ALL
        java.util.logging.ConsoleHandler.level = ALL
        java.util.logging.FileHandler.level = ALL
        java.util.logging.FileHandler.pattern = %s
        """
            .formatted(log));
    assertThat(run("init")).isNotEmpty();
    server =
        Launched.start(
            repo,
            Map.of(
                "PARLEY_STATE",
                state.toString(),
                "PARLEY_JAVA_OPTS",
                "-Djava.util.logging.config.file=" + logging),
            command(
                "serve",
                "--port=0",
                "--json",
                "--rate=300",
                "--max-bytes=" + MOST_BYTES,
                "--max-open=2",
                "--max-clients=2"));
    server.awaitOutput("\"mcp\"");
    Json first = Json.parse(server.out().lines().findFirst().orElseThrow());
    URI address = URI.create(first.fields().get("mcp").text());
    assertThat(address.getHost()).isEqualTo("127.0.0.1");
    port = address.getPort();
    alice = run("serve", "token", "alice").strip();
    bob = run("serve", "token", "bob").strip();
  }

  @AfterEach
  void end() throws IOException {
    server.close();
  }

  private static List<String> command(String... words) {
    List<String> command = new ArrayList<>(List.of(Launched.parley().toString()));
    command.addAll(List.of(words));
    return command;
  }

  private String run(String... words) throws IOException, InterruptedException {
    try (Launched launched =
        Launched.start(repo, Map.of("PARLEY_STATE", state.toString()), command(words))) {
      Trial.Answer answer = launched.answer();
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      return answer.out();
    }
  }

  /** Sends exactly this, and returns all that comes until the server closes. */
  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private boolean isAccepted(String broken) throws IOException {
    try {
      return status(raw(broken)) == 200;
    } catch (SocketException e) {
      return false; // the server has stopped reading
    }
  }

  private String send(String method, String path, String headers, String body) throws IOException {
    return raw(
        method
            + " "
            + path
            + " HTTP/1.1\r\nConnection: close\r\nContent-Length: "
            + body.getBytes(UTF_8).length
            + "\r\n"
            + headers
            + "\r\n"
            + body);
  }

  private String post(String path, String token, String body) throws IOException {
    return send("POST", path, "Host: localhost\r\nAuthorization: Bearer " + token + "\r\n", body);
  }

  private static int status(String response) {
    return response.isEmpty() ? 0 : Integer.parseInt(response.split(" ", 3)[1]);
  }

  private static String call(String tool, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\""
        + tool
        + "\",\"arguments\":"
        + arguments
        + "}}";
  }

  private String initialize(String token) throws IOException {
    String response =
        post(
            "/mcp",
            token,
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
    assertThat(status(response)).isEqualTo(200);
    return response
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("mcp-session-id:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  private String inSession(String session, String token, String body) throws IOException {
    return send(
        "POST",
        "/mcp",
        "Host: localhost\r\nAuthorization: Bearer "
            + token
            + "\r\nMcp-Session-Id: "
            + session
            + "\r\n",
        body);
  }

  @Test
  void everyRouteNeedsATokenInItsHeaderAndANameOfThisMachine() throws IOException {
    assertThat(addressesListenedOn()).isNotEmpty().allMatch(LOOPBACK::contains);
    List<String> paths = new ArrayList<>(List.of("/", "/nothing", "/mcp/x", "/hook/claude/Stop"));
    paths.addAll(ServeCommand.paths());
    assertThat(paths).contains("/mcp", "/hook");
    String local = "Host: localhost\r\n";
    String proof = alice.substring(alice.indexOf(':') + 1);
    for (String path : paths) {
      for (String method : List.of("GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD")) {
        assertThat(status(send(method, path, local, "{}"))).as(method + path).isEqualTo(401);
      }
      for (String wrong :
          List.of(
              "Authorization: Bearer bob:" + proof,
              "Authorization: Bearer alice:" + proof.substring(1),
              "Authorization: Basic " + alice,
              "Authorization: Bearer " + alice + "\r\nAuthorization: Bearer " + bob,
              "Cookie: token=" + alice,
              "Mcp-Session-Id: " + alice)) {
        assertThat(status(send("POST", path, local + wrong + "\r\n", "{}")))
            .as(path + " " + wrong)
            .isEqualTo(401);
      }
      assertThat(status(send("POST", path + "?token=" + alice, local, "{}"))).isEqualTo(401);

      String right = "Authorization: Bearer " + alice + "\r\n";
      for (String foreign :
          List.of(
              "Host: evil.example.com\r\n",
              "Host: localhost.evil.example.com\r\n",
              local + "Host: evil.example.com\r\n",
              local + "Origin: https://evil.example.com\r\n",
              local + "Origin: null\r\n")) {
        assertThat(status(send("POST", path, foreign + right, "{}")))
            .as(path + " " + foreign)
            .isEqualTo(403);
      }
      assertThat(status(send("POST", path, right, "{}"))).as("no Host").isIn(400, 403);
    }
  }

  @Test
  void aTokenIsInNoOutputLogFileOfOthersAndProcessList() throws IOException, InterruptedException {
    String session = initialize(alice);
    run("join", "--as", "carol");
    assertThat(
            inSession(
                session,
                alice,
                call("send", "{\"to\":\"carol\",\"body\":\"hi\",\"from\":\"bob\",\"as\":\"bob\"}")))
        .contains("stored");
    assertThat(run("inbox", "--as", "carol", "--json")).contains("\"from\":\"alice\"");
    assertThat(status(inSession(session, bob, call("who", "{}")))).isEqualTo(404);
    assertThat(inSession(session, alice, call("lock", "{\"paths\":[\"../x\"]}"))).contains("error");
    assertThat(inSession(session, alice, call("nothing", "{}"))).contains("-32602");
    assertThat(inSession(session, alice, "no json")).contains("-32700");
    assertThat(post("/hook/claude", alice, "{\"hook_event_name\":\"SessionStart\"}"))
        .contains("You are alice on Parley.");
    assertThat(status(post("/hook/nobody", alice, "["))).isEqualTo(200);
    assertThat(status(post("/nothing", alice, "{}"))).isEqualTo(404);
    assertThat(status(post("/mcp", alice + "x", "{}"))).isEqualTo(401);
    assertThat(status(post("/mcp", alice, "x".repeat(MOST_BYTES + 1)))).isEqualTo(413);
    for (String broken :
        List.of(
            "GET /mcp\r\nAuthorization: Bearer " + alice + "\r\n\r\n",
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthor ization: Bearer " + alice + "\r\n\r\n",
            "POST /mcp HTTP/1.1\r\nContent-Length: x\r\nAuthorization: Bearer "
                + alice
                + "\r\n\r\n",
            "GET :bad: HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + alice + "\r\n\r\n",
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + alice
                + "\r\nX: "
                + "x".repeat(500_000)
                + "\r\n\r\n")) {
      assertThat(isAccepted(broken)).as(broken.substring(0, 20)).isFalse();
    }
    Path secretFile = onlyFile(state.resolve("serve"));
    assertThat(log).content().contains("com.sun.net.httpserver"); // the log does say something

    List<String> secrets =
        List.of(
            alice.substring(alice.indexOf(':') + 1),
            bob.substring(bob.indexOf(':') + 1),
            Files.readString(secretFile).strip());
    assertThat(secrets).allMatch(secret -> secret.length() >= 43);
    secrets.forEach(ServeSecurityIT::assertThatNoProcessShows);
    server.signal("TERM");
    Trial.Answer answer = server.answer();
    for (String secret : secrets) {
      assertThat(answer.out() + answer.err()).doesNotContain(secret);
      for (Path file : files(temp)) {
        if (!file.equals(secretFile)) {
          assertThat(Files.readString(file, ISO_8859_1)).as(file.toString()).doesNotContain(secret);
        }
      }
    }
    assertThat(Files.getPosixFilePermissions(secretFile))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    for (Path folder : List.of(state, state.resolve("serve"))) {
      assertThat(Files.getPosixFilePermissions(folder))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static void assertThatNoProcessShows(String secret) {
    int seen = 0;
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      for (String name : List.of("cmdline", "environ")) {
        try {
          Path file = Path.of("/proc/" + process.pid() + "/" + name);
          assertThat(Files.readString(file, ISO_8859_1)).as(file.toString()).doesNotContain(secret);
          seen++;
        } catch (IOException e) {
          // It has ended, or belongs to another user.
        }
      }
    }
    assertThat(seen).isGreaterThan(1);
  }

  @Test
  void everyAgentHasItsOwnLimits() throws IOException {
    String first = initialize(alice);
    String second = initialize(alice);
    String ofBob = initialize(bob);
    String third = initialize(alice);
    assertThat(status(inSession(first, alice, call("who", "{}")))).isEqualTo(404);
    assertThat(status(inSession(second, alice, call("who", "{}")))).isEqualTo(200);
    assertThat(status(inSession(third, alice, call("who", "{}")))).isEqualTo(200);
    assertThat(status(inSession(ofBob, bob, call("who", "{}")))).isEqualTo(200);

    List<Socket> streams = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        Socket stream = new Socket(InetAddress.getLoopbackAddress(), port);
        streams.add(stream);
        String listen =
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + alice
                + "\r\nMcp-Session-Id: "
                + third
                + "\r\n\r\n";
        stream.getOutputStream().write(listen.getBytes(UTF_8));
        assertThat(new String(stream.getInputStream().readNBytes(12), UTF_8)).endsWith(" 200");
      }
      assertThat(post("/mcp", alice, "{}")).contains("too-many-open");
      assertThat(status(inSession(ofBob, bob, call("who", "{}")))).isEqualTo(200);
    } finally {
      for (Socket stream : streams) {
        stream.close();
      }
    }
    String refused = "";
    for (int i = 0; i < 100_000 && !refused.contains("too-many-requests"); i++) {
      refused = post("/nothing", bob, "{}");
    }
    assertThat(status(refused)).isEqualTo(429);
    assertThat(refused).containsIgnoringCase("Retry-After: 1");
  }

  /** Where the kernel says that the port is open. */
  private List<String> addressesListenedOn() throws IOException {
    String wanted = ":" + "%04X".formatted(port);
    List<String> open = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (Files.exists(Path.of(table))) {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] words = line.strip().split(" +", -1);
          if (words[1].endsWith(wanted) && words[3].equals("0A")) {
            open.add(words[1].substring(0, words[1].length() - wanted.length()));
          }
        }
      }
    }
    return open;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static Path onlyFile(Path folder) throws IOException {
    List<Path> all = files(folder);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }
}
