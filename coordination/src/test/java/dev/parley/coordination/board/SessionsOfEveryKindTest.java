package dev.parley.coordination.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.core.Envelope;
import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Generated sessions with ballots that are late, early, repeated, unknown, foreign and in conflict:
 * what the ledger makes of them is compared with a count by hand (seed 1.7, 1.8).
 */
class SessionsOfEveryKindTest {
  private static final int LOGS = Seed.isLong() ? 5_000 : 200;
  private static final int LINES = 400;

  private final Map<String, Resolution> decided = new HashMap<>();
  private final Map<String, Phase> phases = new HashMap<>();
  private long verdicts;

  @Test
  void aBallotCountsOnceAndNoResultChangesAfterResolve() {
    Random random = Seed.random("sessions of boards");
    for (int i = 0; i < LOGS; i++) {
      long seed = random.nextLong();
      decided.clear();
      phases.clear();
      check("log " + i + " of this seed, " + seed, new Random(seed));
    }
    assertThat(verdicts).as("sessions that were decided").isGreaterThan(LOGS * 3L);
    Seed.say(LOGS + " logs, " + verdicts + " sessions decided, each as counted by hand");
  }

  private void check(String what, Random random) {
    SessionLines lines = new SessionLines(random);
    Count count = new Count();
    Ledger whole = new Ledger();
    Ledger pieces = new Ledger();
    for (int i = 0; i < LINES; i++) {
      Envelope line = lines.next(whole.boards());
      count.see(line, whole);
      whole.apply(line, lines.before());
      pieces.apply(line, lines.before());
      if (random.nextInt(20) == 0) {
        pieces = Ledger.KIND.load(pieces.save());
      }
      for (BoardSession meeting : whole.boards().all()) {
        checkProgress(what, meeting);
        checkResolution(what, meeting, count);
      }
    }
    assertThat(pieces.save()).as(what).isEqualTo(whole.save());
    verdicts += decided.size();
  }

  private void checkProgress(String what, BoardSession meeting) {
    Phase before = phases.put(meeting.id(), meeting.phase());
    if (before != null) {
      assertThat(meeting.phase()).as(what).isGreaterThanOrEqualTo(before);
    }
  }

  private void checkResolution(String what, BoardSession meeting, Count count) {
    Resolution resolution = meeting.resolution();
    assertThat(resolution != null).as(what).isEqualTo(meeting.phase().isDecided());
    if (resolution == null) {
      return;
    }
    Resolution before = decided.putIfAbsent(meeting.id(), resolution);
    if (before != null) {
      assertThat(resolution).as(what).isEqualTo(before);
      return;
    }
    Agenda agenda = meeting.agenda();
    List<String> electorate = agenda.electorate();
    assertThat(electorate).as(what).containsAll(resolution.votes().keySet());
    assertThat(resolution.votes().size() + resolution.missing().size())
        .as(what)
        .isEqualTo(electorate.size());
    if (!agenda.quick()) {
      assertThat(Map.copyOf(resolution.votes())).as(what).isEqualTo(count.of(meeting.id()));
    }
    if (resolution.missing().isEmpty()) {
      long approve = resolution.votes().values().stream().filter(Vote.APPROVE::equals).count();
      long reject = resolution.votes().values().stream().filter(Vote.REJECT::equals).count();
      assertThat(resolution.verdict())
          .as(what)
          .isEqualTo(expected(agenda.policy().toString(), approve, reject, electorate.size()));
    }
  }

  private static Verdict expected(String policy, long approve, long reject, int electors) {
    return switch (policy) {
      case "five" ->
          approve >= 4
              ? Verdict.APPROVED
              : approve == 3
                  ? Verdict.APPROVED_WITH_REVIEW
                  : reject >= 3 ? Verdict.REJECTED : Verdict.ESCALATE;
      case "majority" ->
          approve > electors / 2
              ? Verdict.APPROVED
              : reject > electors / 2 ? Verdict.REJECTED : Verdict.ESCALATE;
      case "at-least-2" ->
          approve >= 2
              ? Verdict.APPROVED
              : reject > electors - 2 ? Verdict.REJECTED : Verdict.ESCALATE;
      default ->
          approve == electors ? Verdict.APPROVED : reject > 0 ? Verdict.REJECTED : Verdict.ESCALATE;
    };
  }

  /** The last vote of each elector that came at its time, from the session that had its name. */
  private static final class Count {
    private final Map<String, Map<String, Vote>> votes = new HashMap<>();

    void see(Envelope line, Ledger before) {
      Map<String, Json> payload = line.payload().fields();
      if (!line.isNative() || !line.type().equals(BoardTypes.VOTE)) {
        return;
      }
      String board = String.valueOf(payload.get("board").text());
      BoardSession meeting = before.boards().meeting(board);
      String verdict = String.valueOf(payload.get("verdict").text());
      boolean counts =
          meeting != null
              && SessionLines.phase(meeting, line) == Phase.VOTE
              && meeting.agenda().electorate().contains(line.sender())
              && SessionLines.session(line.sender()).equals(payload.get("session").text())
              && List.of("APPROVE", "REJECT", "ABSTAIN").contains(verdict);
      if (counts) {
        votes
            .computeIfAbsent(board, name -> new HashMap<>())
            .put(line.sender(), Vote.valueOf(verdict));
      }
    }

    Map<String, Vote> of(String board) {
      return votes.getOrDefault(board, Map.of());
    }
  }
}
