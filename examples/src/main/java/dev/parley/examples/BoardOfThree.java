package dev.parley.examples;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.MissingPolicy;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Vote;
import java.util.List;

/** Three agents assess a plan, vote on it, and learn the verdict. */
public final class BoardOfThree {
  private static final List<String> BOARD = List.of("ann", "ben", "cat");

  private BoardOfThree() {}

  public static void main(String[] args) {
    try (Parley parley = Parley.inMemory()) {
      List<Agent> agents = BOARD.stream().map(parley::join).toList();
      Agenda agenda =
          new Agenda(
              "EVALUATE_PLAN",
              BOARD,
              Policy.usual(BOARD.size()),
              0,
              true,
              false,
              null,
              MissingPolicy.ABSTAIN);
      String board = agents.getFirst().boards().open(agenda, "Rewrite the parser.").board();

      for (Agent agent : agents) {
        Assessment fine = new Assessment(Opinion.APPROVE, 8, List.of(), List.of());
        var _ = agent.boards().assess(board, fine);
      }
      for (Agent agent : agents) {
        Vote vote = agent.name().equals("cat") ? Vote.REJECT : Vote.APPROVE;
        var _ = agent.boards().vote(board, new Ballot(vote, Confidence.FULL, List.of(), ""));
      }

      BoardSession meeting = parley.boards().meeting(board);
      Resolution resolution = meeting.resolution();
      if (resolution != null) {
        System.out.println("verdict: " + resolution.verdict());
        System.out.println("dissent: " + resolution.dissent().getFirst().director());
      }
    }
  }
}
