package dev.parley.cli.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for mail and presence, as their users type them. */
class MailCommandsTest {
  @TempDir private Path temporary;
  private Trial trial;

  @BeforeEach
  void aBusWithAliceAndBob() throws IOException {
    trial = new Trial(temporary.toRealPath());
    ok("init");
    ok("join", "--as", "alice", "--role", "reviewer", "--can", "java,sql");
    ok("join", "--as", "bob");
  }

  private Answer ok(String... args) {
    Answer answer = trial.run(args);
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    return answer;
  }

  private Map<String, Json> json(String... args) {
    return ok(args).json();
  }

  private String sent(String... more) {
    String[] args = {"send", "bob", "--as", "alice", "--json"};
    String[] all = new String[args.length + more.length];
    System.arraycopy(args, 0, all, 0, args.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return text(json(all).get("id"));
  }

  private static String text(Json value) {
    return String.valueOf(value.text());
  }

  @Test
  void sendSaysWhatStateWasReachedAndWhere() {
    Map<String, Json> answer = json("send", "bob", "--as", "alice", "--body", "hello", "--json");

    assertThat(answer).containsOnlyKeys("state", "id", "position", "to");
    assertThat(answer).containsEntry("state", Json.of("stored"));
    assertThat(answer).containsEntry("to", Json.ofStrings(List.of("bob")));
    assertThat(answer.get("position").number(0)).isPositive();
  }

  @Test
  void anInboxLineHasTheDocumentedFields() {
    sent("--type", "question", "--subject", "Port?", "--body", "Which?", "--deadline", "10m");

    assertThat(json("inbox", "--as", "bob", "--json"))
        .containsKeys(
            "id",
            "timestamp",
            "from",
            "to",
            "type",
            "priority",
            "subject",
            "body",
            "thread",
            "needsReply",
            "deadline",
            "state")
        .containsEntry("state", Json.of("stored"))
        .containsEntry("needsReply", Json.of(true))
        .containsEntry("priority", Json.of("normal"));
  }

  @Test
  void listedIsDeliveredReadIsSeenAnsweredIsDone() {
    String id = sent("--type", "question", "--body", "Which port?", "--needs-reply");
    assertThat(state(id)).isEqualTo("stored");
    ok("inbox", "--as", "bob");
    assertThat(state(id)).isEqualTo("delivered");
    ok("inbox", "read", id, "--as", "bob");
    assertThat(state(id)).isEqualTo("seen");
    Map<String, Json> reply = json("reply", id, "--as", "bob", "--body", "8080", "--json");
    assertThat(reply).containsEntry("answered", Json.of(id));

    Map<String, Json> shown = json("show", id, "--as", "alice", "--json");
    assertThat(shown).containsEntry("id", Json.of(id)).containsEntry("state", Json.of("done"));
    assertThat(shown.get("trail").items())
        .extracting(step -> text(step.fields().get("state")))
        .containsExactly("stored", "delivered", "seen", "done");
    assertThat(ok("inbox", "--as", "bob").out()).isEqualTo("No mail.\n");
    assertThat(ok("inbox", "--as", "alice").out()).contains("8080", "reply", "bob");
  }

  private String state(String id) {
    return ok("inbox", "sent", "--as", "alice", "--json").lines().stream()
        .map(line -> Json.parse(line).fields())
        .filter(sent -> sent.get("id").equals(Json.of(id)))
        .map(sent -> text(sent.get("state")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void inboxAndWaitTakeTheSameFilters() {
    sent("--body", "first");
    String high = sent("--body", "second", "--priority", "high");
    String complete =
        sent("--type", "status", "--body", "third", "--metadata", "{\"status\":\"complete\"}");

    assertThat(json("inbox", "--as", "bob", "--json", "--contains", "second"))
        .containsEntry("id", Json.of(high));
    assertThat(json("inbox", "--as", "bob", "--json", "--completion"))
        .containsEntry("id", Json.of(complete));
    sent("--body", "fourth");
    String urgent = sent("--body", "fifth", "--priority", "critical");
    assertThat(json("wait", "--as", "bob", "--json", "--min-priority", "high", "--timeout", "0s"))
        .containsEntry("id", Json.of(urgent));
  }

  @Test
  void aLongBodyFromStdinIsListedByItsBeginningAndReadWhole() throws IOException {
    String body = "ü line\n".repeat(200_000);
    trial.input(body);
    String id = sent("--body", "-");

    Map<String, Json> listed = json("inbox", "--as", "bob", "--json");
    assertThat(listed.get("content").fields()).containsKeys("digest", "size");
    assertThat(text(listed.get("body"))).hasSizeLessThan(300);
    Map<String, Json> read = json("inbox", "read", id, "--full", "--as", "bob", "--json");
    assertThat(text(read.get("body"))).isEqualTo(body);
    assertThat(ok("show", id, "--full", "--as", "alice").lines()).hasSizeGreaterThan(200_000);
    String second = sent("--body", "-");
    assertThat(
            text(
                json("wait", "--new", "--as", "bob", "--full", "--json", "--timeout", "0s")
                    .get("body")))
        .isEqualTo(body);
    assertThat(ok("doctor").out()).contains("healthy");

    sent("--body", "-");
    try (var files = Files.list(temporary.resolve(".parley/content"))) {
      Files.delete(files.findFirst().orElseThrow());
    }
    Answer wait = trial.run("wait", "--as", "bob", "--timeout", "0s");
    assertThat(wait.exitCode()).isEqualTo(1);
    assertThat(wait.err()).contains("not there any more", "parley inbox rm");
    Answer again = trial.run("inbox", "read", second, "--as", "bob");
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(state(second)).isEqualTo("delivered");
  }

  @Test
  void aBusThatRanIntoTheFutureUnderOlderRulesGoesOnAndShowsThePresent() throws IOException {
    assertThat(trial.run("heartbeat", "--reset-clock", "--as", "alice").err())
        .contains("not ahead of yours");
    Path future = Files.createDirectory(temporary.resolve("future")).toRealPath();
    trial = new Trial(future);
    ok("init");
    for (int seq = 1; seq <= 2; seq++) {
      Files.writeString(
          future.resolve(".parley/ledger.jsonl"),
          "{\"id\":\"aaaaaaaaaaaaaaaa-%d\",\"seq\":%d,\"timestamp\":\"2099-01-01T00:00:00.000000Z\","
                  .formatted(seq, seq)
              + "\"sender\":\"x\",\"topic\":\"ledger\",\"type\":\"tick\",\"payload\":{}}\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    ok("join", "--as", "alice");

    assertThat(ok("who", "--as", "alice", "--json").out())
        .doesNotContain("2099")
        .contains("\"heard\":\"" + Instant.now().toString().substring(0, 10));
    assertThat(ok("who", "--as", "alice").out()).contains(" s ago");
    assertThat(ok("lock", "a", "--as", "alice", "--json").out()).doesNotContain("2099");
    assertThat(ok("locks", "list", "--as", "alice").out()).doesNotContain("2099");
    assertThat(trial.run("lock", "a", "--as", "bob", "--json").out())
        .contains("alice holds a (since")
        .doesNotContain("2099");
    assertThat(trial.run("heartbeat", "--reset-clock", "--as", "human").exitCode()).isEqualTo(3);
    ok("send", "human", "--as", "alice", "--body", "back in time");
  }

  @Test
  void aSecondAnswerIsRefused() {
    String id = sent("--body", "?");
    ok("reply", id, "--as", "bob", "--body", "!");

    Answer again = trial.run("reply", id, "--as", "bob", "--body", "!!");
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(again.err()).contains("answered", "--thread");
  }

  @Test
  void ackRefuseAndRmEndMessages() {
    String acked = sent("--body", "1");
    String refused = sent("--body", "2");
    String removed = sent("--body", "3");

    ok("inbox", "ack", acked, "--as", "bob");
    ok("inbox", "refuse", refused, "--reason", "not mine", "--as", "bob");
    ok("inbox", "rm", removed, "--as", "bob");

    assertThat(ok("inbox", "--as", "bob").out()).isEqualTo("No mail.\n");
    assertThat(ok("show", acked, "--as", "alice").out()).contains("acknowledged");
    assertThat(ok("show", refused, "--as", "alice").out()).contains("refused: not mine");
    assertThat(ok("show", removed, "--as", "alice").out()).contains("removed");
    assertThat(ok("inbox", "--as", "alice").out()).contains("refusal");
    assertThat(trial.run("inbox", "ack", acked, "--as", "bob").exitCode()).isEqualTo(3);
    assertThat(trial.run("inbox", "ack", "nonsense", "--as", "bob").exitCode()).isEqualTo(3);
    assertThat(trial.run("inbox", "ack", "--as", "bob").exitCode()).isEqualTo(2);
  }

  @Test
  void theInboxIsFilteredAndSorted() {
    sent("--body", "first", "--type", "task");
    sent("--body", "second", "--type", "note", "--priority", "critical");
    sent("--body", "third", "--type", "note", "--priority", "low");

    assertThat(bodies()).containsExactly("second", "first", "third");
    assertThat(bodies("--sort", "newest")).containsExactly("third", "second", "first");
    assertThat(bodies("--type", "note", "--sort", "oldest")).containsExactly("second", "third");
    assertThat(bodies("--min-priority", "high")).containsExactly("second");
    assertThat(bodies("--from", "carol")).isEmpty();
    assertThat(bodies("-n", "1")).containsExactly("second");
    long position =
        Json.parse(ok("inbox", "--as", "bob", "--json", "--sort", "oldest").lines().getFirst())
            .fields()
            .get("position")
            .number(0);
    assertThat(bodies("--since", "mail.bob@" + position)).containsExactly("second", "third");
    assertThat(bodies("--unread")).hasSize(3);
    assertThat(ok("inbox", "clear", "--as", "bob").out()).isEqualTo("3 messages removed.\n");
    assertThat(bodies()).isEmpty();
  }

  private List<String> bodies(String... more) {
    String[] all = new String[more.length + 4];
    System.arraycopy(more, 0, all, 4, more.length);
    all[0] = "inbox";
    all[1] = "--as";
    all[2] = "bob";
    all[3] = "--json";
    return ok(all).lines().stream()
        .map(line -> text(Json.parse(line).fields().get("body")))
        .toList();
  }

  @Test
  void waitFindsWhatCameBeforeAndTimesOutWithFour() {
    sent("--body", "here already", "--type", "result");

    Answer other = trial.run("wait", "--as", "bob", "--type", "task", "--timeout", "0s");
    assertThat(other.exitCode()).isEqualTo(4);
    assertThat(other.out()).contains("No message yet", "the next wait");
    assertThat(json("wait", "--as", "bob", "--from", "alice", "--timeout", "0s", "--json"))
        .containsEntry("body", Json.of("here already"));
    Answer again = trial.run("wait", "--as", "bob", "--timeout", "0s", "--json");
    assertThat(again.exitCode()).isEqualTo(4);
    assertThat(again.json()).containsOnlyKeys("error", "message", "next");
  }

  @Test
  void anEmptyMessageIsRefusedHoweverItIsGiven() {
    for (String empty : List.of("", "  ")) {
      Answer answer = trial.run("send", "bob", "--as", "alice", "--body", empty);
      assertThat(answer.exitCode()).isEqualTo(2);
      assertThat(answer.err()).contains("The message is empty.");
    }
    assertThat(trial.run("send", "bob", "--as", "alice", "--body", "-").exitCode()).isEqualTo(2);
    assertThat(bodies()).isEmpty();
    sent("--subject", "only a subject");
    String id = sent("--body", "Which?");
    assertThat(trial.run("reply", id, "--as", "bob", "--body", "-").err())
        .contains("The answer is empty.");
    assertThat(state(id)).isEqualTo("stored");
  }

  @Test
  void aMessageToAnotherAgentIsAnsweredInItsName() {
    String id = sent("--body", "Which?");

    Answer answer = trial.run("reply", id, "8080", "--as", "alice");

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err())
        .contains("in the inbox of bob", "parley reply " + id + " <text> --as bob");
  }

  @Test
  void whoJoinsByACommandIsToldSoOnce() {
    assertThat(trial.run("send", "bob", "hello there", "--as", "nobody").err())
        .contains("nobody joined (new).");
    assertThat(trial.run("send", "bob", "hello again", "--as", "nobody").err())
        .doesNotContain("joined");
    ok("leave", "--as", "nobody");
    assertThat(trial.run("send", "bob", "and again", "--as", "nobody").err())
        .doesNotContain("joined");
    assertThat(trial.run("join", "--as", "eve").err()).doesNotContain("(new)");
  }

  @Test
  void theInboxOfAnUnknownAgentIsAnError() {
    Answer answer = trial.run("inbox", "--of", "bobb");

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err()).contains("Unknown agent bobb.", "Did you mean bob?");
    assertThat(ok("inbox", "--of", "bob").out()).isEqualTo("No mail.\n");
    assertThat(ok("inbox", "--of", "human").out()).isEqualTo("No mail.\n");
  }

  @Test
  void anUnknownRecipientIsRefusedWithTheNearestNameUnlessAnyway() {
    Answer refused = trial.run("send", "bobb", "--as", "alice", "--body", "x");

    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("bobb", "Did you mean bob?", "--anyway");
    assertThat(ok("send", "carol", "--as", "alice", "--body", "x", "--anyway").out())
        .contains("carol has not joined yet");
  }

  @Test
  void sendToAllReachesEveryoneButTheSender() {
    ok("who", "--as", "alice", "--expect", "carol");
    Map<String, Json> answer = json("send", "all", "--as", "alice", "--body", "hi", "--json");

    assertThat(answer).containsEntry("to", Json.ofStrings(List.of("bob", "carol")));
    assertThat(answer.get("copies").items()).hasSize(2);
  }

  @Test
  void theSameKeySendsOnce() {
    String first = sent("--body", "x", "--key", "k1");

    Map<String, Json> again =
        json("send", "bob", "--as", "alice", "--body", "x", "--key", "k1", "--json");
    assertThat(again).containsEntry("id", Json.of(first)).containsEntry("repeated", Json.of(true));
    assertThat(bodies()).hasSize(1);
  }

  @Test
  void aFullInboxRefusesAndSaysWhatToDo() {
    ok("inbox", "limits", "--messages", "1", "--as", "bob");
    sent("--body", "fits");

    Answer refused = trial.run("send", "bob", "--as", "alice", "--body", "does not");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("full", "limits --messages");
    assertThat(bodies()).containsExactly("fits");
    assertThat(trial.run("inbox", "limits", "--chain", "0", "--as", "bob").exitCode()).isEqualTo(2);
  }

  @Test
  void whatTheDamperHoldsIsListedAndLetGo() {
    ok("inbox", "limits", "--chain", "1", "--as", "bob");
    sent("--body", "1", "--automatic", "--thread", "t");
    Map<String, Json> held =
        json(
            "send",
            "bob",
            "--as",
            "alice",
            "--body",
            "2",
            "--automatic",
            "--thread",
            "t",
            "--json");

    assertThat(held).containsEntry("state", Json.of("held"));
    assertThat(bodies()).containsExactly("1");
    assertThat(ok("inbox", "held", "--as", "bob").out()).contains(text(held.get("id")));
    ok("inbox", "release", text(held.get("id")), "--as", "bob");
    assertThat(bodies()).containsExactly("1", "2");
  }

  @Test
  void withoutAnIdentityItSaysTheLineToType() {
    assertThat(ok("status").out()).contains("export PARLEY_AGENT=");

    Answer inbox = trial.run("inbox");
    assertThat(inbox.exitCode()).isEqualTo(2);
    assertThat(inbox.err()).contains("alice, bob", "--as");
  }

  @Test
  void aJoinThatIsRefusedLeavesNobodyBehind() {
    assertThat(trial.run("join", "--as", "all").exitCode()).isEqualTo(2);

    assertThat(trial.run("inbox").err()).contains("alice, bob").doesNotContain("all");
  }

  @Test
  void whoShowsWhatTheLedgerKnowsAndNotWhatAgentsSaidLast() {
    ok("task", "add", "1.2", "--as", "bob");
    ok("task", "claim", "1.2", "--as", "alice");
    ok("task", "progress", "1.2", "--progress", "30", "--as", "alice");
    ok(
        "heartbeat",
        "--as",
        "alice",
        "--status",
        "BLOCKED",
        "--task",
        "1.2",
        "--progress",
        "40",
        "--note",
        "needs the schema");

    assertThat(ok("who").out()).contains("working", "1.2 30 %", "reviewer (java, sql)", "schema");
    assertThat(Json.parse(ok("who", "--json").lines().getFirst()).fields())
        .containsEntry("agent", Json.of("alice"))
        .containsEntry("presence", Json.of("here"))
        .containsEntry("status", Json.of("BLOCKED"))
        .containsEntry("doing", Json.of("working"))
        .containsEntry("task", Json.of("1.2"))
        .containsEntry("progress", Json.of(30));
    ok("task", "done", "1.2", "--as", "alice");
    assertThat(Json.parse(ok("who", "--json").lines().getFirst()).fields())
        .containsEntry("doing", Json.of("idle"))
        .containsEntry("progress", Json.of(-1))
        .containsEntry("task", Json.NULL);
    assertThat(trial.run("heartbeat", "--as", "alice", "--progress", "101").exitCode())
        .isEqualTo(2);
    ok("leave", "--as", "alice", "--reason", "lunch");
    assertThat(ok("who").out()).contains("gone", "lunch");
    assertThat(ok("send", "alice", "--as", "bob", "--body", "x").out())
        .contains("alice left ", "ago; the message waits.");
  }

  @Test
  void statusShowsWhatWaitsForYouAndMarksNothing() {
    String id = sent("--body", "?", "--needs-reply");

    assertThat(ok("status", "--as", "bob").out())
        .contains("1 unread", "alice waits for your answer", id, "alice, bob");
    assertThat(json("--as", "bob", "--json")).containsEntry("unread", Json.of(1));
    assertThat(state(id)).isEqualTo("stored");
  }

  @Test
  void whatAMessageSaysCannotControlTheTerminal() {
    String id = sent("--subject", "\033[2Jx", "--body", "line\n\033]0;title\007\u202e");

    assertThat(ok("inbox", "--as", "bob").out() + ok("inbox", "read", id, "--as", "bob").out())
        .doesNotContain("\033", "\007", "\u202e")
        .contains("\\u001b");
  }

  @Test
  void theSecretOfASessionIsNotInTheLogAndOnlyItsOwnerReadsIt() throws IOException {
    Answer export = ok("join", "--as", "carol", "--export");
    String token = export.out().replaceAll("(?s).*='(.*)'.*", "$1");
    String secret = token.substring(token.indexOf(':') + 1);

    assertThat(Files.readString(temporary.resolve(".parley/ledger.jsonl"))).doesNotContain(secret);
    assertThat(new Trial(temporary).with("PARLEY_SESSION", token).run("inbox", "limits").exitCode())
        .isZero();
    assertThat(new Trial(temporary).with("PARLEY_SESSION", "carol:wrong").run("inbox").exitCode())
        .isEqualTo(3);
    assertThat(new Trial(temporary).with("PARLEY_SESSION", "x").run("inbox").exitCode())
        .isEqualTo(2);
  }

  @Test
  void showFindsAnyEnvelope() {
    Map<String, Json> stored =
        json(
            "publish",
            "notes",
            "--as",
            "alice",
            "--type",
            "note",
            "--payload",
            "{\"a\":1}",
            "--json");

    assertThat(json("show", text(stored.get("id")), "--as", "bob", "--json"))
        .containsEntry("state", Json.of("stored"))
        .containsEntry("topic", Json.of("notes"));
    assertThat(trial.run("show", "nonsense").exitCode()).isEqualTo(3);
  }

  @Test
  void aForeignLineInAMailTopicIsMail() throws IOException {
    Files.writeString(
        temporary.resolve(".parley/mail.bob.jsonl"),
        "{\"type\":\"note\",\"sender\":\"ci\",\"payload\":\"from a script\"}\n");

    assertThat(bodies()).containsExactly("from a script");
    String id = text(json("inbox", "--as", "bob", "--json").get("id"));
    assertThat(id).isEqualTo("mail.bob@" + Files.size(temporary.resolve(".parley/mail.bob.jsonl")));
    ok("inbox", "ack", id, "--as", "bob");
    assertThat(bodies()).isEmpty();
  }
}
