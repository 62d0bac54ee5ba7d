package dev.parley.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.wake.WakeWay;
import dev.parley.core.json.Json;
import dev.parley.mcp.wake.WaiterLock;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ToolsTest {
  private static final String MARK = "SECRET-MARK-31337";

  @TempDir Path folder;
  private TwoAgents agents;

  @BeforeEach
  void begin() {
    agents = new TwoAgents(folder);
  }

  @AfterEach
  void end() {
    agents.close();
  }

  private String stateOfLastSent() {
    List<SentMail> sent = agents.alice.mail().sent();
    return sent.getLast().state();
  }

  @Test
  void aMessageIsStoredThenSeenOnceItWasShownAndDoneOnceItIsAnswered() {
    Fields sent =
        agents.aliceClient.json(
            "send",
            "{\"to\":\"bob\",\"body\":\"Which port?\",\"type\":\"question\",\"needs_reply\":true}");
    assertThat(sent.text("state")).isEqualTo("stored");
    assertThat(stateOfLastSent()).isEqualTo("stored");

    Fields letter = agents.bobClient.json("inbox", "{}").objects("messages").getFirst();
    assertThat(letter.text("from")).isEqualTo("alice");
    assertThat(letter.text("body")).isEqualTo("Which port?");
    assertThat(letter.flag("needs_reply")).isTrue();
    assertThat(stateOfLastSent()).isEqualTo("seen");

    var _ =
        agents.bobClient.json(
            "send", "{\"reply_to\":\"" + letter.text("id") + "\",\"body\":\"8080\"}");
    assertThat(stateOfLastSent()).isEqualTo("done");
    Fields answer = agents.aliceClient.json("inbox", "{}").objects("messages").getFirst();
    assertThat(answer.text("body")).isEqualTo("8080");
    assertThat(answer.text("reply_to")).isEqualTo(sent.text("id"));
  }

  @Test
  void whoTellsWhatWakesAnAgentAndWhetherSomethingCan() throws Exception {
    assertThat(agents.aliceClient.call("who", "{}").getFirst()).doesNotContain("woken_by");
    agents.bob.waking().way("claude", WakeWay.HOOK, null);
    assertThat(agents.aliceClient.call("who", "{}").getFirst())
        .contains("\"name\":\"bob\",\"woken_by\":\"no\"");
    try (WaiterLock _ = WaiterLock.take(folder.resolve(".parley"), "bob")) {
      assertThat(agents.aliceClient.call("who", "{}").getFirst())
          .contains("\"name\":\"bob\",\"woken_by\":\"hook\"");
    }
  }

  @Test
  void anyAnswerTellsOfUnreadMailInOneLine() {
    agents.bob.mail().send(Draft.to("alice").says("", MARK));
    List<String> answer = agents.aliceClient.call("who", "{}");
    assertThat(answer).hasSize(2).noneMatch(text -> text.contains(MARK));
    assertThat(answer.get(1)).isEqualTo("1 unread from bob: call inbox.");
    var _ = agents.aliceClient.call("inbox", "{}");
    assertThat(agents.aliceClient.call("who", "{}")).hasSize(1);
  }

  @Test
  void aWaitReturnsAtOnceWithWhatIsThereAndOtherwiseWithTheNextMessage() throws Exception {
    agents.bob.mail().send(Draft.to("alice").says("", "one"));
    assertThat(agents.aliceClient.call("wait", "{}").getFirst()).contains("\"one\"");
    CompletableFuture<String> waiting =
        CompletableFuture.supplyAsync(
            () -> agents.aliceClient.call("wait", "{\"seconds\":30}").getFirst());
    agents.bob.mail().send(Draft.to("alice").says("", "two"));
    assertThat(waiting.get()).contains("\"two\"");
    assertThat(agents.aliceClient.call("wait", "{\"seconds\":0}").getFirst())
        .contains("\"messages\":[]");
  }

  @Test
  void aLockIsRefusedNamingTheHolderAndGrantedOnceItIsGivenBack() {
    assertThat(agents.aliceClient.json("lock", "{\"paths\":[\"src/a.ts\"]}").texts("locked"))
        .containsExactly("src/a.ts");
    Fields refused = agents.bobClient.json("lock", "{\"paths\":[\"src/\"]}");
    assertThat(refused.text("error")).isEqualTo("held");
    assertThat(refused.text("message")).contains("alice holds src/a.ts").contains("until");
    assertThat(refused.text("next")).contains("wait_seconds");
    assertThat(agents.aliceClient.json("unlock", "{}").texts("unlocked"))
        .containsExactly("src/a.ts");
    assertThat(agents.bobClient.json("lock", "{\"paths\":[\"src/\"]}").text("error")).isNull();
  }

  @Test
  void aTaskIsAddedTakenAndDone() {
    var _ =
        agents.aliceClient.json(
            "task",
            "{\"action\":\"add\",\"task\":\"1.1\",\"title\":\"Tests\",\"body\":\"Write them\","
                + "\"files\":[\"src/t.ts\"]}");
    Fields next = agents.bobClient.json("task", "{\"action\":\"next\"}");
    assertThat(next.text("task")).isEqualTo("1.1");
    assertThat(next.text("state")).isEqualTo("claimed");
    assertThat(next.text("body")).isEqualTo("Write them");
    assertThat(
            agents
                .aliceClient
                .json("task", "{\"action\":\"claim\",\"task\":\"1.1\"}")
                .text("error"))
        .isEqualTo("claimed");
    assertThat(
            agents
                .bobClient
                .json("task", "{\"action\":\"done\",\"task\":\"1.1\",\"note\":\"ok\"}")
                .text("state"))
        .isEqualTo("done");
    assertThat(agents.bobClient.json("task", "{\"action\":\"next\"}").text("error"))
        .isEqualTo("nothing-ready");
  }

  @Test
  void aBoardOfTwoDecides() {
    String board =
        agents
            .aliceClient
            .json(
                "board",
                "{\"action\":\"open\",\"text\":\"Ship it?\",\"electors\":[\"alice\",\"bob\"]}")
            .text("board", "");
    for (Client client : List.of(agents.aliceClient, agents.bobClient)) {
      var _ =
          client.json(
              "board",
              "{\"action\":\"assess\",\"board\":\""
                  + board
                  + "\",\"verdict\":\"APPROVE\",\"score\":8}");
    }
    var _ =
        agents.aliceClient.json("board", "{\"action\":\"advance\",\"board\":\"" + board + "\"}");
    Fields shown =
        agents.bobClient.json("board", "{\"action\":\"show\",\"board\":\"" + board + "\"}");
    assertThat(shown.text("proposal")).isEqualTo("Ship it?");
    assertThat(shown.object("assessments").values()).containsOnlyKeys("alice", "bob");
  }

  @Test
  void aNoticeIsPostedAndRead() {
    assertThat(
            agents
                .aliceClient
                .json("bulletin", "{\"kind\":\"warning\",\"text\":\"the port is taken\"}")
                .text("state"))
        .isEqualTo("posted");
    Fields notice = agents.bobClient.json("bulletin", "{}").objects("notices").getFirst();
    assertThat(notice.text("text")).isEqualTo("the port is taken");
    assertThat(notice.texts("from")).containsExactly("alice");
  }

  @Test
  void anAgentWhoseSessionEndedIsJoinedAgainByItsNextCall() {
    agents.alice.close();
    assertThat(agents.aliceClient.json("send", "{\"to\":\"bob\",\"body\":\"hi\"}").text("state"))
        .isEqualTo("stored");
    assertThat(agents.parley.members())
        .anyMatch(member -> member.name().equals("alice") && !member.hasLeft());
  }

  @Test
  void whatWasSaidIsFound() {
    agents.bob.mail().send(Draft.to("alice").says("", "the Quick brown fox"));
    Fields found = agents.aliceClient.json("search", "{\"text\":\"quick BROWN\"}");
    assertThat(found.objects("found").getFirst().text("from")).isEqualTo("bob");
    assertThat(agents.aliceClient.json("search", "{\"text\":\"slow\"}").objects("found")).isEmpty();
  }

  @Test
  void aLongBodyIsCutInListsAndWholeWhenAskedFor() {
    String body = "x".repeat(5_000);
    agents.bob.mail().send(Draft.to("alice").says("", body));
    Fields letter = agents.aliceClient.json("inbox", "{}").objects("messages").getFirst();
    assertThat(letter.text("body", "")).hasSize(ModelMailJson.MOST_LISTED);
    assertThat(letter.number("more_characters", 0)).isEqualTo(3_000);
    Fields whole = agents.aliceClient.json("inbox", "{\"id\":\"" + letter.text("id") + "\"}");
    assertThat(whole.text("body")).isEqualTo(body);
  }

  @Test
  void aVeryLongBodyIsReadInSeveralCalls() {
    String body = "0123456789".repeat(4_500);
    String id = agents.bob.mail().send(Draft.to("alice").says("", body)).first().id();
    StringBuilder read = new StringBuilder();
    long more = 1;
    while (more > 0) {
      Fields part =
          agents.aliceClient.json(
              "inbox", "{\"id\":\"" + id + "\",\"after\":" + read.length() + "}");
      read.append(part.text("body"));
      more = part.number("more_characters", 0);
    }
    assertThat(read.toString()).isEqualTo(body);
  }

  @Test
  void mailOfOthersIsAnnouncedInAnswersAboutMailAndInRefusalsToo() {
    String notice = "1 unread from bob: call inbox.";
    String own = agents.alice.mail().send(Draft.to("bob").says("", "x")).first().id();
    String first = agents.bob.mail().send(Draft.to("alice").says("", "one")).first().id();
    assertThat(agents.aliceClient.call("wait", "{\"seconds\":0,\"reply_to\":\"" + own + "\"}"))
        .hasSize(2)
        .last()
        .isEqualTo(notice);
    assertThat(agents.aliceClient.call("task", "{\"action\":\"claim\",\"task\":\"none\"}"))
        .hasSize(2)
        .last()
        .isEqualTo(notice);
    assertThat(agents.aliceClient.call("inbox", "{\"id\":\"" + first + "\"}")).hasSize(1);
    agents.bob.mail().send(Draft.to("alice").says("", "two"));
    assertThat(agents.aliceClient.call("inbox", "{\"id\":\"" + first + "\"}"))
        .hasSize(2)
        .last()
        .isEqualTo(notice);
    assertThat(agents.aliceClient.call("inbox", "{}")).hasSize(1);
  }

  @Test
  void aWaitThatBroughtNothingTellsWhetherAndHowMailWakes() throws Exception {
    assertThat(agents.aliceClient.json("wait", "{\"seconds\":0}").text("next"))
        .contains("nothing waits to wake you");
    agents.alice.waking().way("claude", WakeWay.HOOK, null);
    try (WaiterLock _ = WaiterLock.take(folder.resolve(".parley"), "alice")) {
      assertThat(agents.aliceClient.json("wait", "{\"seconds\":0}").text("next"))
          .contains("End your turn: mail wakes you by hook.");
    }
  }

  @Test
  void clientsAreToldWhichResourcesHaveChanged() {
    Queue<Json> told = new ConcurrentLinkedQueue<>();
    Client client = agents.aliceListening(told::add);
    List<String> uris =
        List.of("parley://inbox", "parley://locks", "parley://tasks", "parley://roster");
    for (String uri : uris) {
      var _ = client.result("resources/subscribe", Json.object().put("uri", uri).build());
    }
    agents.bob.mail().send(Draft.to("alice").says("", "hello"));
    var _ = agents.bobClient.call("lock", "{\"paths\":[\"a\"]}");
    var _ = agents.bobClient.call("task", "{\"action\":\"add\",\"task\":\"1\"}");
    await()
        .untilAsserted(() ->
            assertThat(told.stream().map(ToolsTest::updated).distinct())
                .containsExactlyInAnyOrderElementsOf(uris));
  }

  private static String updated(Json message) {
    Fields fields = Fields.of(message);
    assertThat(fields.text("method")).isEqualTo("notifications/resources/updated");
    return fields.object("params").text("uri");
  }

  @Test
  void everyResourceAndPromptCanBeRead() {
    agents.bob.mail().send(Draft.to("alice").says("", "hello"));
    for (Fields resource :
        agents.aliceClient.result("resources/list", Json.EMPTY_OBJECT).objects("resources")) {
      Json params = Json.object().put("uri", resource.text("uri")).build();
      Fields content =
          agents.aliceClient.result("resources/read", params).objects("contents").getFirst();
      assertThat(content.text("uri")).isEqualTo(resource.text("uri"));
      assertThat(Json.parse(content.text("text", ""))).isNotNull();
    }
    String thread = agents.alice.mail().inbox(MailFilter.ANY).getFirst().entry().thread();
    Json params = Json.object().put("uri", "parley://thread/" + thread).build();
    assertThat(agents.aliceClient.ask("resources/read", params).toString()).contains("hello");
    for (String role : List.of("worker", "director", "reviewer")) {
      Fields prompt =
          agents.aliceClient.result("prompts/get", Json.object().put("name", role).build());
      assertThat(prompt.objects("messages")).hasSize(1);
    }
  }
}
