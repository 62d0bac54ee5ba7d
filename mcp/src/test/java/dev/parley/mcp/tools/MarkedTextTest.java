package dev.parley.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bob marks every text that he can write. Alice's model meets it only as data, with his name. */
class MarkedTextTest {
  private static final String MARK = "SECRET-MARK-31337";

  /** The fields that hold what agents wrote. */
  private static final Set<String> DATA =
      Set.of(
          "subject",
          "body",
          "text",
          "title",
          "proposal",
          "criteria",
          "concerns",
          "recommendations",
          "conditions",
          "reason",
          "role",
          "files");

  /** An object with one of these fields says who wrote its texts. */
  private static final List<String> AUTHORS = List.of("from", "by", "name");

  /** The keys of these objects are the authors. */
  private static final Set<String> BY_AUTHOR = Set.of("assessments", "ballots");

  @TempDir Path folder;
  private TwoAgents agents;
  private String question;
  private String board;

  /** The fields in which the mark was met. */
  private final Set<String> met = new TreeSet<>();

  @BeforeEach
  void begin() {
    agents = new TwoAgents(folder);
    var _ = agents.parley.join("carol", new Sessions.Profile(MARK, List.of()));
    Draft marked =
        Draft.to("alice")
            .type("question")
            .says(MARK, MARK)
            .artifacts(List.of(MARK))
            .metadata(Json.of(MARK));
    question = agents.bob.mail().send(marked).first().id();
    String refused = agents.alice.mail().send(Draft.to("bob").says("", "hi")).first().id();
    agents.bob.mail().refuse(List.of(refused), MARK);
    TaskList tasks = agents.bob.tasks();
    for (String id : List.of("t1", "t2", "t3", "t4")) {
      tasks.add(
          new Plan(
              id,
              MARK,
              MARK,
              List.of(),
              List.of(MARK),
              List.of(),
              List.of(),
              Priority.NORMAL,
              Plan.TRIES),
          false);
    }
    tasks.claim("t1", TaskList.Terms.NONE);
    var _ = tasks.fail("t1", MARK, false);
    tasks.claim("t2", TaskList.Terms.NONE);
    tasks.progress("t2", 10, MARK);
    var _ = agents.bob.heartbeat(new Sessions.Beat(null, null, null, MARK));
    bob("bulletin", "{'text':'MARK'}");
    board =
        agents
            .bobClient
            .json("board", call("{'action':'open','text':'MARK','electors':['alice','bob']}"))
            .text("board", "");
    bob(
        "board",
        "{'action':'assess','board':'BOARD','verdict':'CONCERNS','score':5,"
            + "'conditions':['MARK'],'text':'MARK'}");
  }

  @AfterEach
  void end() {
    agents.close();
  }

  private String call(String text) {
    return text.replace('\'', '"').replace("MARK", MARK).replace("BOARD", String.valueOf(board));
  }

  private void bob(String tool, String arguments) {
    assertThat(agents.bobClient.call(tool, call(arguments)).getFirst()).doesNotContain("\"error\"");
  }

  private List<String> actions(Fields tool) {
    return tool.object("inputSchema").object("properties").object("action").texts("enum");
  }

  @Test
  void noTextOfOthersIsInWhatInstructsAModel() {
    for (String method :
        List.of("tools/list", "prompts/list", "resources/list", "resources/templates/list")) {
      assertThat(agents.aliceClient.ask(method, Json.EMPTY_OBJECT).toString()).doesNotContain(MARK);
    }
    assertThat(agents.aliceClient.ask("initialize", Json.EMPTY_OBJECT).toString())
        .doesNotContain(MARK);
    for (String role : List.of("worker", "director", "reviewer")) {
      Json params = Json.object().put("name", role).build();
      assertThat(agents.aliceClient.ask("prompts/get", params).toString()).doesNotContain(MARK);
    }
  }

  @Test
  void everyToolAndActionShowsItOnlyAsDataBesideItsAuthor() {
    Set<String> missing = new HashSet<>();
    for (Fields tool :
        agents.aliceClient.result("tools/list", Json.EMPTY_OBJECT).objects("tools")) {
      missing.add(tool.text("name"));
      actions(tool).forEach(action -> missing.add(tool.text("name") + " " + action));
    }
    for (String step :
        List.of(
            "who {}",
            "inbox {'id':'QID'}",
            "inbox {}",
            "inbox {'all':true}",
            "inbox {'id':'none'}",
            "wait {'seconds':0}",
            "bulletin {}",
            "bulletin {'text':'mine'}",
            "search {'text':'mark'}",
            "lock {'paths':['a']}",
            "lock {'paths':[]}",
            "unlock {}",
            "task {'action':'list'}",
            "task {'action':'show','task':'t1'}",
            "task {'action':'show','task':'t2'}",
            "task {'action':'claim','task':'t1'}",
            "task {'action':'claim','task':'t2'}",
            "task {'action':'claim','task':'t3'}",
            "task {'action':'next'}",
            "task {'action':'progress','task':'t3','note':'mine'}",
            "task {'action':'progress','task':'t2'}",
            "task {'action':'release','task':'t3'}",
            "task {'action':'fail','task':'t4'}",
            "task {'action':'next'}",
            "task {'action':'done','task':'t3'}",
            "task {'action':'add','task':'t1','title':'mine'}",
            "task {'action':'unheard'}",
            "board {'action':'list'}",
            "board {'action':'show','board':'BOARD'}",
            "board {'action':'assess','board':'BOARD','verdict':'APPROVE','score':8}",
            "board {'action':'show','board':'BOARD'}",
            "board {'action':'advance','board':'BOARD'}",
            "BOB board {'action':'discuss','board':'BOARD','kind':'QUESTION','text':'MARK'}",
            "board {'action':'discuss','board':'BOARD','kind':'AGREE','text':'mine'}",
            "board {'action':'advance','board':'BOARD'}",
            "BOB board {'action':'discuss','board':'BOARD','kind':'AGREE','text':'MARK'}",
            "board {'action':'discuss','board':'BOARD','kind':'AGREE','text':'mine'}",
            "board {'action':'advance','board':'BOARD'}",
            "BOB board {'action':'discuss','board':'BOARD','kind':'AGREE','text':'MARK'}",
            "board {'action':'discuss','board':'BOARD','kind':'AGREE','text':'mine'}",
            "board {'action':'advance','board':'BOARD'}",
            "BOB board {'action':'vote','board':'BOARD','verdict':'APPROVE','conditions':['MARK'],"
                + "'text':'MARK'}",
            "board {'action':'show','board':'BOARD'}",
            "board {'action':'vote','board':'BOARD','verdict':'APPROVE'}",
            "board {'action':'resolve','board':'BOARD'}",
            "board {'action':'show','board':'BOARD'}",
            "board {'action':'list'}",
            "board {'action':'open','text':'mine','electors':['alice']}",
            "send {'to':'nobody-known','body':'MARK'}",
            "send {'to':'bob','body':'MARK'}",
            "send {'reply_to':'QID','body':'mine'}",
            "send {'reply_to':'QID','body':'mine'}",
            "inbox {'done':['QID']}",
            "hook {'host':'claude','event':'SessionStart'}",
            "hook {'host':'claude','event':'Stop'}",
            "hook {'host':'codex','event':'UserPromptSubmit'}")) {
      String[] words = call(step).replace("QID\"", question + "\"").split(" ", 2);
      if (words[0].equals("BOB")) {
        String[] own = words[1].split(" ", 2);
        bob(own[0], own[1]);
        continue;
      }
      missing.remove(words[0]);
      missing.remove(words[0] + " " + Fields.of(Json.parse(words[1])).text("action"));
      List<String> texts = agents.aliceClient.call(words[0], words[1]);
      assertThat(texts.stream().skip(1)).as(step).noneMatch(text -> text.contains(MARK));
      assertOnlyAsData(step, Json.parse(texts.getFirst()), "", false);
    }
    assertThat(missing).as("not called").isEmpty();
    assertThat(met).containsExactlyInAnyOrderElementsOf(DATA);
  }

  @Test
  void everyResourceShowsItOnlyAsDataBesideItsAuthor() {
    Json all = agents.aliceClient.ask("resources/list", Json.EMPTY_OBJECT);
    List<Fields> resources = Fields.of(all).object("result").objects("resources").stream().toList();
    assertThat(resources).hasSize(5);
    for (Fields resource : resources) {
      read(resource.text("uri"));
    }
    read("parley://thread/" + question);
    assertThat(met).contains("body", "subject", "title", "role");
  }

  private void read(String uri) {
    Json params = Json.object().put("uri", uri).build();
    Fields content =
        agents.aliceClient.result("resources/read", params).objects("contents").getFirst();
    assertOnlyAsData(uri, Json.parse(content.text("text", "")), "", false);
  }

  private void assertOnlyAsData(String where, Json value, String field, boolean hasAuthor) {
    if (value.isObject()) {
      boolean has = hasAuthor || AUTHORS.stream().anyMatch(value.fields()::containsKey);
      value
          .fields()
          .forEach((name, item) -> {
            assertThat(name).as(where).doesNotContain(MARK);
            assertOnlyAsData(where, item, name, has || BY_AUTHOR.contains(field));
          });
    } else if (value.isArray()) {
      value.items().forEach(item -> assertOnlyAsData(where, item, field, hasAuthor));
    } else if (value.toString().contains(MARK)) {
      assertThat(field).as(where).isIn(DATA);
      assertThat(hasAuthor).as("%s says who wrote %s", where, field).isTrue();
      met.add(field);
    }
  }
}
