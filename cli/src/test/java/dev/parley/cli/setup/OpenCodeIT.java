package dev.parley.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.hosts.ModelStandIn.Reply.ToolCall;
import dev.parley.core.hosts.ModelStandIn.Turn;
import dev.parley.core.hosts.RealHosts;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The real OpenCode with our plugin, set up by parley setup, and a stand-in for its model. */
@Timeout(400)
@EnabledIfSystemProperty(named = "parley.long", matches = "true")
class OpenCodeIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern MESSAGE_ID = Pattern.compile("id[\\\\\": ]+([a-z2-7]{16}-\\d+)");
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");

  @TempDir Path temp;
  private Path repo;
  private Map<String, String> environment = Map.of();

  @BeforeEach
  void begin() throws IOException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
  }

  private Launched start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(words));
    if (command.getFirst().equals("parley")) {
      command.set(0, Launched.parley().toString());
    }
    return Launched.start(repo, environment, command);
  }

  private String answer(String... words) {
    try (Launched launched = start(words)) {
      Trial.Answer answer = launched.answer(Duration.ofMinutes(3));
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      return answer.out();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void prepare(RealHosts hosts) {
    environment = hosts.environment();
    answer("git", "init", "-q");
    answer("parley", "init");
    answer("parley", "setup", "opencode", "--yes");
  }

  private void tell(String from, String text, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("parley", "send", "opencode", "--as", from, "--anyway", "--body", text));
    words.addAll(List.of(more));
    answer(words.toArray(String[]::new));
  }

  private static ToolCall call(String tool, String... fields) {
    Json.ObjectBuilder object = Json.object();
    for (int i = 0; i < fields.length; i += 2) {
      object.put(fields[i], fields[i + 1]);
    }
    return new ToolCall(tool, object.build());
  }

  private ToolCall write(String file) {
    return call("write", "filePath", repo.resolve(file).toString(), "content", "mine");
  }

  private static String id(Turn turn) {
    Matcher id = MESSAGE_ID.matcher(turn.body());
    return id.find() ? id.group(1) : "no message was seen";
  }

  private Reply worker(Turn turn) {
    if (!turn.hasTools()) {
      return new Reply.Text("a title");
    }
    return switch (turn.step()) {
      case 0 -> call("parley_inbox");
      case 1 -> call("parley_task", "action", "next");
      case 2 -> write("held.txt");
      case 3 -> {
        tell("ann", "SECOND BODY");
        yield write("free.txt");
      }
      case 4 -> call("bash", "command", "$PARLEY who --json", "description", "who");
      case 5 -> call("parley_send", "reply_to", id(turn), "body", "the answer");
      case 6 -> call("parley_task", "action", "done", "task", "t1");
      default -> new Reply.Text("done");
    };
  }

  @Test
  void itJoinsIsToldOfMailIsRefusedAHeldFileAnswersAndGivesBackWhatItHeld()
      throws IOException, InterruptedException {
    try (RealHosts hosts =
        RealHosts.start(temp.resolve("home"), repo, this::worker).withOpenCode()) {
      prepare(hosts);
      answer("parley", "lock", "held.txt", "--as", "bob");
      answer("parley", "task", "add", "t1", "--title", "Write it", "--as", "bob");
      tell("bob", "MARKED BODY", "--type", "question");

      answer("sh", "-c", "PARLEY=" + Launched.parley() + " opencode run go </dev/null");

      String received = hosts.model().received();
      assertThat(received)
          .contains("You are opencode on Parley. 1 unread from bob: call inbox.")
          .contains("MARKED BODY")
          .contains("bob holds held.txt")
          .contains("1 unread from ann: call inbox.")
          .containsPattern("opencode[^}]*you");
      assertThat(repo.resolve("held.txt")).doesNotExist();
      assertThat(repo.resolve("free.txt")).exists();
      assertThat(answer("parley", "inbox", "--as", "bob", "--json"))
          .contains("\"from\":\"opencode\"", "the answer");
      assertThat(answer("parley", "task", "show", "t1", "--json")).contains("\"done\"");
      assertThat(answer("parley", "locks", "--json")).doesNotContain("\"opencode\"");
    }
  }

  private static Reply readsWhenWoken(Turn turn) {
    boolean isWoken = turn.body().contains("Parley: 1 unread from bob");
    return turn.hasTools() && isWoken && turn.step() == 0
        ? call("parley_inbox")
        : new Reply.Text("done");
  }

  @Test
  void anIdleOneIsWokenByAPromptIsRemindedTwiceAndTheEndOfItsHostIsSeen()
      throws IOException, InterruptedException {
    try (RealHosts hosts =
            RealHosts.start(temp.resolve("home"), repo, OpenCodeIT::readsWhenWoken).withOpenCode();
        HttpClient http = HttpClient.newHttpClient()) {
      prepare(hosts);
      try (Launched server = start(temp.resolve("home/bin/opencode").toString(), "serve")) {
        server.awaitOutput("listening on");
        Matcher address = LISTENING.matcher(server.out());
        assertThat(address.find()).isTrue();
        String sessions = address.group(1) + "/session";
        String session = Json.parse(post(http, sessions, "{}")).fields().get("id").text();
        post(
            http,
            sessions + "/" + session + "/message",
            "{\"parts\":[{\"type\":\"text\",\"text\":\"go\"}]}");
        await().atMost(PATIENCE).until(() -> answer("parley", "wake").contains("by prompt"));

        tell("bob", "MARKED BODY", "--type", "question", "--needs-reply");

        await()
            .atMost(PATIENCE)
            .until(() -> answer("parley", "wake", "list", "opencode").contains("wake woken"));
        await().atMost(PATIENCE).until(() -> hosts.model().received().contains("Unanswered: "));
        assertThat(hosts.model().received()).contains("MARKED BODY");
      }
      await().atMost(PATIENCE).until(() -> answer("parley", "wake").contains("no: nobody waits"));
    }
  }

  private static String post(HttpClient http, String address, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    return answer.body();
  }
}
