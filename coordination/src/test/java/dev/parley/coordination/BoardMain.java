package dev.parley.coordination;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.BoardService.Speech;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.Reporter;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A process that does what is its turn in several sessions until all are decided. */
final class BoardMain {
  private BoardMain() {}

  /** Arguments: folder, token, seed, sessions. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Random random = new Random(Long.parseLong(args[2]));
    BusFolder bus = BusFolder.find(folder, folder, System.getenv());
    try (FileLog log = bus.openLog()) {
      Team team = new Team(log, bus.views(), Reporter.TO_LOG);
      Session session = Session.parse(args[1]);
      BoardService boards = team.boards(session);
      BoardReader reader = team.boards();
      List<String> open = new ArrayList<>(List.of(args).subList(3, args.length));
      while (!open.isEmpty()) {
        Collections.shuffle(open, random);
        List<String> turns =
            open.stream()
                .filter(board -> reader.meeting(board).missing().contains(session.name()))
                .toList();
        for (String board : turns) {
          speak(boards, reader, board, random);
        }
        if (turns.isEmpty()) {
          await(boards, open.getFirst());
        }
        open.removeIf(one -> reader.meeting(one).phase().isDecided());
      }
    }
  }

  private static void await(BoardService boards, String board) throws InterruptedException {
    try {
      var _ = boards.await(board, Duration.ofMillis(200));
    } catch (RefusedException e) {
      // Whoever is missing there waits elsewhere for us: there is something to do.
      if (!e.code().equals("would-deadlock")) {
        throw e;
      }
    }
  }

  private static void speak(BoardService boards, BoardReader reader, String board, Random random) {
    try {
      var _ =
          switch (reader.meeting(board).phase()) {
            case ASSESS ->
                boards.assess(board, new Assessment(Opinion.APPROVE, 5, List.of(), List.of()));
            case DISCUSS ->
                boards.discuss(
                    board, new Speech(Statement.ALL, Statement.Kind.AGREE, "words", false));
            case VOTE -> boards.vote(board, ballot(random));
            case RESOLVE, COMPLETE -> boards.resolve(board);
          };
    } catch (RefusedException e) {
      if (!e.code().equals("not-now") && !e.code().equals("decided")) {
        throw e;
      }
    }
  }

  private static Ballot ballot(Random random) {
    Vote vote = List.of(Vote.values()).get(random.nextInt(3));
    return new Ballot(vote, Confidence.FULL, List.of("a condition"), "");
  }
}
