package dev.parley.orchestration.meeting;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardReader.Carried;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.BoardService.Speech;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.ParsedAnswer;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.prompt.UnreadableAnswerException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A director for whom an agent speaks. Each method asks the agent and puts its answer into the
 * ledger. It returns why that failed; empty if it did not.
 */
final class Director {
  private static final String NAME_TAKEN = "name-taken";
  private static final String ASSESS = "assess";
  private static final String DISCUSS = "discuss";
  private static final String VOTE = "vote";

  private final Run run;
  private final String name;
  private final String agent;
  private final Session session;
  private final BoardService boards;

  private Director(Run run, String name, String agent, Session session) {
    this.run = run;
    this.name = name;
    this.agent = agent;
    this.session = session;
    this.boards = run.context().team().boards(session);
  }

  /**
   * Joins under the director's name. A session that an earlier process of this run left is ended
   * first.
   *
   * @return null if the name is taken
   */
  static @Nullable Director join(Run run, String name, String agent) {
    int tries = 0;
    while (true) {
      String note = "director/" + name + "/" + tries;
      Json earlier = run.noted(note);
      if (earlier == null) {
        break;
      }
      run.context()
          .team()
          .sessions()
          .end(name, String.valueOf(earlier.text()), "its run was killed");
      tries++;
    }
    Session session = Session.begin(name);
    var _ = run.note("director/" + name + "/" + tries, Json.of(session.id()));
    try {
      var _ =
          run.context()
              .team()
              .sessions()
              .join(session, new Sessions.Profile("director", List.of()));
    } catch (ParleyException e) {
      if (e.code().equals(NAME_TAKEN)) {
        return null;
      }
      throw e;
    }
    return new Director(run, name, agent, session);
  }

  void leave() {
    run.context().team().sessions().leave(session, "the board is decided");
  }

  String assess(BoardSession meeting, MeetingPrompts prompts, MeetingPlan plan, BoardReader reader)
      throws InterruptedException {
    // Also those that were checked meanwhile: a resumed run must make the same prompt.
    List<Carried> conditions = reader.carried(meeting);
    ParsedAnswer<Assessment> reply =
        ask(ASSESS, prompts.assess(name, conditions), plan, DirectorAnswers::assessment);
    if (reply.value() == null) {
      return reply.reason();
    }
    checkConditions(meeting, conditions, reply.answer().text());
    var _ = boards.assess(meeting.id(), reply.value());
    run.tell(name + ": " + reply.value().opinion() + ", " + reply.value().score() + " of 10");
    return "";
  }

  /** Marks conditions as met. Only the director who set a condition can say that. */
  private void checkConditions(BoardSession meeting, List<Carried> conditions, String text) {
    try {
      for (DirectorAnswers.ConditionAnswer answer : DirectorAnswers.conditions(text)) {
        boolean own =
            conditions.stream()
                .filter(each -> each.check() == null)
                .map(Carried::condition)
                .anyMatch(each -> each.id().equals(answer.id()) && each.director().equals(name));
        if (own && answer.met()) {
          boards.checkCondition(meeting.id(), answer.id(), answer.note());
          run.tell(name + " finds the condition " + answer.id() + " met");
        }
      }
    } catch (UnreadableAnswerException | RefusedException e) {
      run.tell(name + " did not say whether conditions are met: " + e.getMessage());
    }
  }

  String discuss(BoardSession meeting, MeetingPrompts prompts, MeetingPlan plan, BoardReader reader)
      throws InterruptedException {
    int round = meeting.stage().round();
    List<String> electors = plan.agenda().electorate();
    ParsedAnswer<Speech> reply =
        ask(
            DISCUSS,
            prompts.discuss(name, meeting, round, reader),
            plan,
            text -> DirectorAnswers.speech(text, electors, name));
    if (reply.value() == null) {
      return reply.reason();
    }
    var _ = boards.discuss(meeting.id(), reply.value());
    run.tell(
        name
            + " to "
            + reply.value().to()
            + ", "
            + reply.value().kind()
            + ": "
            + reply.value().body());
    return "";
  }

  String vote(BoardSession meeting, MeetingPrompts prompts, MeetingPlan plan, BoardReader reader)
      throws InterruptedException {
    ParsedAnswer<Ballot> reply =
        ask(VOTE, prompts.vote(name, meeting, reader), plan, DirectorAnswers::ballot);
    if (reply.value() == null) {
      return reply.reason();
    }
    var _ = boards.vote(meeting.id(), reply.value());
    run.tell(name + " votes " + reply.value().vote());
    return "";
  }

  private <T> ParsedAnswer<T> ask(
      String stage, String prompt, MeetingPlan plan, ParsedAnswer.Reader<T> reader)
      throws InterruptedException {
    return ParsedAnswer.to(run, Ask.of(agent, stage, prompt, plan.folder()), reader);
  }
}
