package dev.parley.cli.tail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.cli.testing.Waiting;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
  @TempDir private Path folder;

  private Trial trial(String agent) {
    return new Trial(folder)
        .with("PARLEY_STATE", folder.resolve("state").toString())
        .with("PARLEY_AGENT", agent);
  }

  private Answer run(String agent, String... args) {
    return trial(agent).run(args);
  }

  private String watch(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "watch";
    System.arraycopy(options, 0, args, 1, options.length);
    Answer answer =
        new Trial(folder).with("PARLEY_STATE", folder.resolve("state").toString()).run(args);
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    return answer.out();
  }

  @BeforeEach
  void aMorning() {
    run("ann", "init");
    run("ann", "join");
    run("ben", "join");
    run("ann", "task", "add", "1.1", "--title", "Parser");
    run("ann", "task", "claim", "1.1");
    run("ben", "task", "claim", "1.1");
    run("ann", "lock", "src/a.ts");
    run("ben", "lock", "src/a.ts");
    run("ben", "send", "ann", "--type", "question", "May I have src/a.ts?");
    run("ann", "inbox");
    run("ann", "bulletin", "post", "--wave", "w", "--kind", "warning", "-m", "it breaks");
    run("ann", "publish", "notes", "--type", "note", "--payload", "{\"text\":\"free words\"}");
    run("ann", "task", "done", "1.1", "--commit", "abc");
  }

  @Test
  void itTellsWhatWasDecidedAndARefusalAsOne() {
    String all = watch();

    assertThat(all)
        .containsPattern("● .*ann +joins")
        .containsPattern("● .*ann +adds 1.1 Parser")
        .containsPattern("● .*ann +claims 1.1 ")
        .containsPattern("✗ .*ben +is refused 1.1: ")
        .containsPattern("● .*ann +locks src/a.ts")
        .containsPattern("✗ .*ben +is refused src/a.ts: .*ann")
        .containsPattern("ben +asks ann: May I have src/a.ts")
        .containsPattern("ann +warns: it breaks")
        .containsPattern("ann +says in notes \\(note\\): free words")
        .containsPattern("ann +finishes 1.1, commit abc")
        .doesNotContainPattern("ben +claims")
        .doesNotContainPattern("ben +locks");
  }

  @Test
  void bookkeepingIsFoldedAway() {
    assertThat(watch()).doesNotContain("receipt", "mail.sent", "tick", "rules");
  }

  @Test
  void agentsTasksTypesAndTimesSelect() {
    assertThat(watch("--agent", "ben").lines()).allMatch(line -> line.contains(" ben "));
    assertThat(watch("--task", "1.1").lines()).hasSize(4).allMatch(line -> line.contains("1.1"));
    assertThat(watch("--type", "task").lines()).hasSize(4);
    assertThat(watch("--type", "task.done").lines()).hasSize(1);
    assertThat(watch("--since", "1h")).contains("joins");
    assertThat(watch("--since", "2099-01-01")).contains("No events of that kind.");
    assertThat(watch("-n", "2").lines()).hasSize(2);
  }

  @Test
  void inJsonEachEventIsAnObjectThatNamesItsEnvelope() {
    List<Json> events = watch("--json").lines().map(Json::parse).toList();

    assertThat(events)
        .allSatisfy(event ->
            assertThat(event.fields().keySet())
                .contains("agent", "text", "type", "bad", "envelope"));
    assertThat(events)
        .filteredOn(event -> event.fields().get("bad").toString().equals("true"))
        .hasSize(2);
  }

  @Test
  void aNarrowTerminalGetsLinesThatFit() {
    Trial narrow = new Trial(folder).with("PARLEY_STATE", folder.resolve("state").toString());
    List<String> lines = narrow.onATerminal(40).run("watch", "--once", "--color", "never").lines();

    assertThat(lines).hasSizeGreaterThan(8).allMatch(line -> line.length() <= 40);
    assertThat(lines).noneMatch(line -> line.contains("●"));
    assertThat(
            new Trial(folder)
                .with("PARLEY_STATE", folder.resolve("state").toString())
                .onATerminal(100)
                .run("watch", "--once", "--color", "always")
                .out())
        .contains("●", "\033[36m");
  }

  @Test
  void aTaskThatFailsWithItsOwnersSilenceIsTold() {
    run("ann", "task", "add", "2", "--tries", "1");
    run("ben", "task", "claim", "2", "--ttl", "1s");

    Waiting.until(() -> run("ann", "task", "show", "2").out().contains("failed"));

    assertThat(watch("--agent", "ben", "--task", "2")).containsPattern("✗ .*loses 2: .*has failed");
  }

  @Test
  void terminalCodesInBodiesAreShownNotObeyed() {
    run("ben", "send", "ann", "-m", "\033[31mred\u202e");

    assertThat(watch()).contains("\\u001b[31mred").doesNotContain("\033", "\u202e");
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    assertThat(new Trial(folder).run("watch", "-f", "--once").exitCode()).isEqualTo(2);
    assertThat(new Trial(folder).run("watch", "--lanes", "--lines").exitCode()).isEqualTo(2);
  }

  @Test
  void aBlindAssessmentStaysBlindUntilAllAreIn() {
    run("ann", "board", "open", "X", "--electorate", "ann,ben", "--blind", "--rounds", "0");
    run("ann", "board", "assess", "board-1", "--verdict", "reject", "--score", "2");

    assertThat(watch("--agent", "ann")).contains("has given a blind").doesNotContain("REJECT");
  }
}
