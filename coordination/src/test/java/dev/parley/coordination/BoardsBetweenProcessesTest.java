package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.BoardService;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten sessions at once, each director in a process of its own (seed 1.9). */
class BoardsBetweenProcessesTest {
  private static final int SESSIONS = 10;

  @TempDir private Path temporary;

  @Test
  void tenSessionsAtOnceAreEachDecidedByTheirOwnBallots() throws Exception {
    Random random = Seed.random("boards between processes");
    BusFolder bus = BusFolder.init(null, temporary, Map.of()).folder();
    try (FileLog log = bus.openLog()) {
      Team team = new Team(log, bus.views(), Reporter.TO_LOG);
      BoardService boards = team.boards(team.join("orchestrator"));
      List<String> arguments = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        Agenda agenda = Agenda.of("EVALUATE_PLAN").rounds(i % 3).blind(i % 2 == 0);
        arguments.add(boards.open(agenda, "proposal " + i).board());
      }
      List<AgentProcess> processes = new ArrayList<>();
      try {
        for (String director : Agenda.DIRECTORS) {
          Session session = team.join(director);
          List<String> own = new ArrayList<>(arguments);
          own.addFirst(Long.toString(random.nextLong()));
          processes.add(
              new AgentProcess(
                  BoardMain.class, temporary, bus.path(), session, own.toArray(String[]::new)));
        }
        for (AgentProcess process : processes) {
          process.finish();
        }
      } finally {
        processes.forEach(AgentProcess::close);
      }
      check(log, new Team(log, Views.inMemory(), Reporter.TO_LOG).boards().all());
    }
  }

  private static void check(FileLog log, List<BoardSession> meetings) {
    List<Envelope> lines = WholeTopic.of(log, Ledger.TOPIC);
    assertThat(meetings).hasSize(SESSIONS);
    for (BoardSession meeting : meetings) {
      Resolution resolution = meeting.resolution();
      Map<String, String> last = new HashMap<>();
      for (Envelope line : lines) {
        Map<String, Json> payload = line.payload().fields();
        if (line.type().equals(BoardTypes.VOTE)
            && Json.of(meeting.id()).equals(payload.get("board"))
            && line.position().value() <= resolution.position()) {
          last.put(line.sender(), payload.get("verdict").text());
        }
      }
      assertThat(last).as(meeting.id()).hasSize(5);
      resolution
          .votes()
          .forEach((director, vote) ->
              assertThat(vote.name()).as(meeting.id() + director).isEqualTo(last.get(director)));
      assertThat(resolution.missing()).isEmpty();
      assertThat(resolution.conditions()).hasSize(5);
    }
    Seed.say(SESSIONS + " sessions of five processes, " + lines.size() + " lines in the ledger");
  }
}
