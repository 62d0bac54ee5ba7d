package dev.parley.orchestration.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Team;
import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.coordination.ledger.Session;
import dev.parley.orchestration.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seeds 0.4, 0.9 and 0.10, acceptance check 17 of seed 000: a board folder and a bulletin say the
 * same.
 */
class BoardMirrorTest {
  private static final String TOPIC = "parallel.wave-0.board";
  private static final Path CLIENT =
      Path.of("src/test/resources/clients/ralph_board.sh").toAbsolutePath();

  @TempDir private Path folder;
  private Workshop workshop;
  private Path board;
  private Team team;
  private Session session;
  private final List<String> trouble = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    workshop = new Workshop(Files.createDirectory(folder.resolve("workshop")));
    board = Files.createDirectories(folder.resolve("bus/wave-0"));
    team = workshop.context().team();
    session = team.join("task-1");
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private BoardMirror mirror(String topic) {
    return new BoardMirror(
        workshop.log(), Bulletin.topic("wave-0"), board, topic, text -> trouble.add(text));
  }

  private List<String> original(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", CLIENT.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines = process.inputReader().readAllLines();
    assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
    return lines;
  }

  private void post(String sender, String kind, String text) throws Exception {
    original("post", board.toString(), TOPIC, sender, kind, text);
  }

  private List<String> bulletin() {
    return team.bulletins().notices("wave-0").stream()
        .map(listed -> listed.notice())
        .map(notice ->
            notice.kind().word()
                + " "
                + notice.authors()
                + " "
                + notice.text()
                + " "
                + notice.count())
        .toList();
  }

  @Test
  void whatEitherSideSaysTheOtherReadsOnce() throws Exception {
    BoardMirror mirror = mirror(TOPIC);
    post("task-2", "warning", "the port is taken");
    team.bulletins().post(session, "wave-0", Notice.Kind.DISCOVERY, "tests need TZ", List.of());
    assertThat(mirror.exchange()).isTrue();
    post("task-2", "intent", "changing a.py");
    team.bulletins().post(session, "wave-0", Notice.Kind.WARNING, "do not run b", List.of());
    assertThat(mirror.exchange()).isTrue();
    var _ = mirror.exchange(); // what it wrote itself comes by once more
    assertThat(mirror.exchange()).isFalse();

    assertThat(bulletin())
        .containsExactlyInAnyOrder(
            "warning [task-2] the port is taken 1",
            "discovery [task-1] tests need TZ 1",
            "intent [task-2] changing a.py 1",
            "warning [task-1] do not run b 1");
    assertThat(original("read", board.toString()))
        .containsExactlyInAnyOrder(
            "warning task-2 parallel.wave-0.board: the port is taken",
            "discovery task-1 parallel.wave-0.board: tests need TZ",
            "intent task-2 parallel.wave-0.board: changing a.py",
            "warning task-1 parallel.wave-0.board: do not run b");
    assertThat(trouble).isEmpty();
  }

  /** A process that was killed has noted nothing but what stands in the topic and in the file. */
  @Test
  void anotherMirrorOnTheSameFolderDoesNothingTwice() throws Exception {
    post("task-2", "warning", "w");
    team.bulletins().post(session, "wave-0", Notice.Kind.DISCOVERY, "d", List.of());
    var _ = mirror(TOPIC).exchange();
    List<String> before = Files.readAllLines(board.resolve(TOPIC + ".jsonl"));
    var _ = mirror(TOPIC).exchange();

    assertThat(bulletin())
        .containsExactlyInAnyOrder("warning [task-2] w 1", "discovery [task-1] d 1");
    assertThat(Files.readAllLines(board.resolve(TOPIC + ".jsonl"))).isEqualTo(before);
  }

  @Test
  void withoutATopicTheFolderIsOnlyRead() throws Exception {
    post("task-2", "warning", "w");
    team.bulletins().post(session, "wave-0", Notice.Kind.DISCOVERY, "d", List.of());
    var _ = mirror(null).exchange();
    assertThat(bulletin()).contains("warning [task-2] w 1");
    assertThat(original("read", board.toString())).hasSize(1);
  }

  @Test
  void linesThatAreNotWholeWaitAndBrokenOnesAreToldOf() throws Exception {
    BoardMirror mirror = mirror(TOPIC);
    Path file = board.resolve("board.jsonl");
    Files.writeString(
        file, "no json\n{\"id\":\"7-1\",\"seq\":1,\"sender\":\"x\",\"type\":\"board.war");
    var _ = mirror.exchange();
    assertThat(bulletin()).isEmpty();
    assertThat(trouble).hasSize(1);
    Files.writeString(
        file,
        "ning\",\"payload\":{\"text\":\"whole\"}}\n",
        java.nio.file.StandardOpenOption.APPEND);
    var _ = mirror.exchange();
    assertThat(bulletin()).containsExactly("warning [x] whole 1");
  }

  @Test
  void aFolderThatSomebodyRemovesIsToldOfOnceAndTheWorkGoesOn() throws Exception {
    BoardMirror mirror = mirror(TOPIC);
    Files.delete(board);
    assertThat(mirror.exchange()).isFalse();
    assertThat(mirror.exchange()).isFalse();
    assertThat(trouble).hasSize(1);
  }
}
