package dev.parley.orchestration.meeting;

import dev.parley.coordination.Team;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.PhaseState;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.ResolutionPage;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.Doorbell;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunFolder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Drives a board session from its opening to its resolution. Directors that are programs are asked
 * when a contribution is missing; for the others the meeting waits.
 *
 * <pre>
 * open ─▶ ask who is missing ─▶ the ledger goes on by itself ─▶ … ─▶ decided ─▶ resolve
 *                │ nobody is left to ask, or the phase is over its time
 *                └─▶ advance: the session's rule says what becomes of the missing
 * </pre>
 *
 * <p>A resumed run does the same again. It finds the board by its recorded name. Recorded answers
 * are not asked for again, and a director whose contribution is in the ledger is not missing.
 */
public final class BoardMeeting {
  /** The topic is checked this often, because a notification may be lost. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final String BOARD = "board";

  private final Run run;
  private final MeetingPlan plan;
  private final MeetingPrompts prompts;
  private final Team team;
  private final BoardReader reader;
  private final BoardService chair;
  private final Map<String, Director> directors = new LinkedHashMap<>();

  /** The failures of directors, each with the place in the session at which it is missing. */
  private final Map<String, String> missed = new ConcurrentHashMap<>();

  private BoardMeeting(Run run, MeetingPlan plan, Session chair) {
    this.run = run;
    this.plan = plan;
    this.prompts = new MeetingPrompts(plan);
    this.team = run.context().team();
    this.reader = team.boards();
    this.chair = team.boards(chair);
  }

  /**
   * Holds the meeting, or continues it if the run was resumed.
   *
   * @param chair the session that opens and advances the board
   * @return the session, resolved
   * @throws ParleyException REFUSED if the run was stopped, or reached a limit
   */
  public static BoardSession hold(Run run, MeetingPlan plan, Session chair)
      throws InterruptedException {
    BoardMeeting meeting = new BoardMeeting(run, plan, chair);
    try {
      meeting.seatDirectors(); // first: a board accepts only directors that the bus knows
      return meeting.resolve(meeting.decide(meeting.open(chair)));
    } finally {
      meeting.directors.values().forEach(Director::leave);
    }
  }

  /** Returns the board's name: recorded, or opened by an earlier process, or opened now. */
  private String open(Session chair) {
    Json noted = run.noted(BOARD);
    if (noted != null) {
      return String.valueOf(noted.text());
    }
    long sessions = run.note("boards", Json.of(reader.all().size())).number(0);
    String board =
        reader.all().stream()
            .skip(sessions)
            .filter(each -> each.opening().by().equals(chair.name()))
            .filter(each -> each.agenda().equals(plan.agenda()))
            .filter(each -> reader.proposal(each).equals(plan.proposal()))
            .map(BoardSession::id)
            .findFirst()
            .orElseGet(() -> this.chair.open(plan.agenda(), plan.proposal()).board());
    run.tell("opened " + board + " (" + plan.agenda().checkpoint() + ")");
    return String.valueOf(run.note(BOARD, Json.of(board)).text());
  }

  /**
   * Joins under the names of the program directors. A director whose name is in use speaks for
   * itself.
   */
  private void seatDirectors() {
    plan.agents()
        .forEach((name, agent) -> {
          Director director = Director.join(run, name, agent);
          if (director == null) {
            run.tell(name + " is on the bus already and speaks for itself");
          } else {
            directors.put(name, director);
          }
        });
  }

  private BoardSession decide(String board) throws InterruptedException {
    try (Doorbell doorbell = run.context().log().doorbell(new Prefix(Ledger.TOPIC))) {
      PhaseState last = null;
      while (true) {
        BoardSession meeting = reader.meeting(board);
        if (meeting.phase().isDecided()) {
          return meeting;
        }
        if (last == null || !sameStage(last, meeting.stage())) {
          run.tell(describe(meeting));
          last = meeting.stage();
        }
        List<String> toAsk =
            meeting.missing().stream()
                .filter(directors::containsKey)
                .filter(name -> !missed.containsKey(place(meeting, name)))
                .toList();
        if (!toAsk.isEmpty()) {
          askAll(meeting, toAsk);
        } else if (meeting.missing().stream().allMatch(directors::containsKey)) {
          advance(meeting); // every missing director was asked in vain
        } else {
          waitForOthers(meeting, doorbell);
        }
      }
    }
  }

  private static boolean sameStage(PhaseState a, PhaseState b) {
    return a.phase() == b.phase() && a.round() == b.round();
  }

  private static String describe(BoardSession meeting) {
    return meeting.phase() == Phase.DISCUSS
        ? "discussion, round " + meeting.stage().round() + " of " + meeting.agenda().rounds()
        : switch (meeting.phase()) {
          case ASSESS -> "assessments";
          case VOTE -> "vote";
          default -> meeting.phase().name();
        };
  }

  /** The place in the session at which a contribution is missing. */
  private static String place(BoardSession meeting, String name) {
    return meeting.phase() + "/" + meeting.stage().round() + "/" + name;
  }

  /** Asks all directors at once: in this phase none sees what another says. */
  private void askAll(BoardSession meeting, List<String> names) throws InterruptedException {
    Set<Thread> threads = new HashSet<>();
    Map<String, RuntimeException> failures = new ConcurrentHashMap<>();
    for (String name : names) {
      threads.add(
          Thread.ofVirtual()
              .name("director-" + name)
              .start(() -> {
                try {
                  ask(meeting, name);
                } catch (RuntimeException e) {
                  failures.put(name, e);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      for (Thread thread : threads) {
        thread.interrupt();
      }
      for (Thread thread : threads) {
        thread.join(Duration.ofSeconds(10)); // each thread ends its program first
      }
      throw e;
    }
    for (RuntimeException failure : failures.values()) {
      throw failure;
    }
  }

  private void ask(BoardSession meeting, String name) throws InterruptedException {
    Director director = directors.get(name);
    if (director == null) {
      return;
    }
    try {
      String reason =
          switch (meeting.phase()) {
            case ASSESS -> director.assess(meeting, prompts, plan, reader);
            case DISCUSS -> director.discuss(meeting, prompts, plan, reader);
            default -> director.vote(meeting, prompts, plan, reader);
          };
      if (!reason.isEmpty()) {
        miss(meeting, name, reason);
      }
    } catch (RefusedException e) {
      miss(meeting, name, "came too late (" + e.code() + ")");
    }
  }

  private void miss(BoardSession meeting, String name, String reason) {
    missed.put(place(meeting, name), reason);
    run.tell(name + " counts as missing: " + reason);
  }

  private void advance(BoardSession meeting) {
    try {
      var _ = chair.advance(meeting.id());
    } catch (RefusedException e) {
      if (!reader.meeting(meeting.id()).phase().isDecided()) {
        throw e;
      }
    }
  }

  /**
   * Waits for directors that speak for themselves, until they have, or the phase or the run is
   * over.
   */
  private void waitForOthers(BoardSession meeting, Doorbell doorbell) throws InterruptedException {
    if (run.isStopped()) {
      throw ParleyException.refused(
          "run-stopped",
          "The run was stopped while " + String.join(", ", meeting.missing()) + " were missing.",
          "It can be resumed.");
    }
    run.checkTime();
    Instant ends = meeting.stage().ends();
    if (ends != null && !team.ledger().now().isBefore(ends)) {
      advance(meeting);
    } else {
      var _ = doorbell.await(LOOK);
    }
  }

  private BoardSession resolve(BoardSession decided) {
    if (decided.phase() != Phase.COMPLETE) {
      var _ = chair.resolve(decided.id());
    }
    BoardSession meeting = reader.meeting(decided.id());
    Resolution resolution = Objects.requireNonNull(meeting.resolution());
    String page = String.join("\n", ResolutionPage.of(meeting, resolution)) + "\n";
    run.folder().write("artifacts/resolution.md", page);
    run.folder().write(RunFolder.REVIEW_PACKET, packet(meeting, page));
    run.review(ReviewPacket.review(plan, meeting, resolution), List.of());
    return meeting;
  }

  private String packet(BoardSession meeting, String page) {
    return ReviewPacket.of(plan, meeting, reader, missed) + "\n" + page;
  }
}
