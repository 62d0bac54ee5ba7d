package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a session of a board decides on, and by which procedure.
 *
 * @param checkpoint the occasion: EVALUATE_PLAN, EVALUATE_EXECUTION, PRE_LAUNCH, or any other
 * @param electorate the agents who assess, discuss and vote
 * @param rounds how many rounds of discussion there are; a round ends when every elector has spoken
 * @param blind whether assessments stay hidden until all are in
 * @param quick whether the assessments decide, without discussion and vote
 * @param deadline the longest time that a phase may take; null for no limit
 * @param missing how to count electors who said nothing before a phase ended
 */
public record Agenda(
    String checkpoint,
    List<String> electorate,
    Policy policy,
    int rounds,
    boolean blind,
    boolean quick,
    @Nullable Duration deadline,
    MissingPolicy missing) {

  /** The electors of a board of directors. */
  public static final List<String> DIRECTORS = List.of("CA", "CPO", "CSO", "COO", "CXO");

  /** The checkpoint of a quick review. */
  public static final String QUICK_REVIEW = "QUICK_REVIEW";

  public static final int ROUNDS = 3;
  public static final int MOST_ROUNDS = 20;
  public static final int MOST_ELECTORS = 64;
  public static final int LONGEST_CHECKPOINT = 100;
  public static final Duration LEAST_DEADLINE = Duration.ofSeconds(1);
  public static final Duration MOST_DEADLINE = Duration.ofDays(30);

  /** Five directors, three rounds, no deadline. */
  public static Agenda of(String checkpoint) {
    return new Agenda(
        checkpoint,
        DIRECTORS,
        Policy.usual(DIRECTORS.size()),
        ROUNDS,
        false,
        false,
        null,
        MissingPolicy.ABSTAIN);
  }

  /** One phase of assessments, decided by the majority. */
  public static Agenda quickReview() {
    return new Agenda(
        QUICK_REVIEW,
        DIRECTORS,
        new Policy.Majority(),
        0,
        false,
        true,
        null,
        MissingPolicy.ABSTAIN);
  }

  /**
   * A copy with another electorate and the usual policy for its size; a quick review keeps its
   * policy.
   */
  public Agenda among(List<String> electors) {
    Policy usual = quick ? policy : Policy.usual(electors.size());
    return new Agenda(checkpoint, electors, usual, rounds, blind, quick, deadline, missing);
  }

  public Agenda by(Policy other) {
    return new Agenda(checkpoint, electorate, other, rounds, blind, quick, deadline, missing);
  }

  public Agenda rounds(int count) {
    return new Agenda(checkpoint, electorate, policy, count, blind, quick, deadline, missing);
  }

  public Agenda blind(boolean yes) {
    return new Agenda(checkpoint, electorate, policy, rounds, yes, quick, deadline, missing);
  }

  public Agenda within(@Nullable Duration time, MissingPolicy rule) {
    return new Agenda(checkpoint, electorate, policy, rounds, blind, quick, time, rule);
  }

  /** What is wrong with this agenda; null if nothing is. */
  private Json.@Nullable ObjectBuilder problem() {
    if (checkpoint.isBlank() || checkpoint.length() > LONGEST_CHECKPOINT) {
      return problem("checkpoint").put("most", LONGEST_CHECKPOINT);
    }
    if (electorate.isEmpty() || electorate.size() > MOST_ELECTORS) {
      return problem("electors").put("most", MOST_ELECTORS);
    }
    if (!electorate.stream().allMatch(AgentName::isValid)) {
      return problem("elector-name");
    }
    if (!electorate.stream().distinct().toList().equals(electorate)) {
      return problem("elector-twice");
    }
    if (!policy.fits(electorate.size())) {
      return problem("policy").put("policy", policy.toString()).put("count", electorate.size());
    }
    if (rounds < 0 || rounds > MOST_ROUNDS) {
      return problem("rounds").put("most", MOST_ROUNDS);
    }
    boolean fits =
        deadline == null
            || (deadline.compareTo(LEAST_DEADLINE) >= 0 && deadline.compareTo(MOST_DEADLINE) <= 0);
    return fits ? null : problem("deadline").put("mostDays", MOST_DEADLINE.toDays());
  }

  private static Json.ObjectBuilder problem(String name) {
    return Json.object().put("problem", name);
  }

  /**
   * Checks that a board can follow this agenda.
   *
   * @throws ParleyException INVALID if not
   */
  public Agenda check() {
    Json.ObjectBuilder problem = problem();
    if (problem != null) {
      throw ParleyException.invalid("bad-agenda", problem);
    }
    return this;
  }

  /** The agenda in a payload or a saved state; null if it is not valid. */
  public static @Nullable Agenda read(Fields payload) {
    List<String> electorate =
        payload.json("electorate") == null ? DIRECTORS : payload.texts("electorate");
    boolean quick = payload.flag("quick");
    Policy usual = quick ? new Policy.Majority() : Policy.usual(electorate.size());
    Policy policy =
        payload.json("policy") == null ? usual : Policy.find(payload.text("policy", ""));
    MissingPolicy missing =
        payload.json("missing") == null
            ? MissingPolicy.ABSTAIN
            : payload.choice("missing", MissingPolicy.values());
    if (policy == null || missing == null) {
      return null;
    }
    long rounds = payload.number("rounds", quick ? 0 : ROUNDS);
    long seconds = payload.number("deadline", 0);
    Agenda agenda =
        new Agenda(
            payload.text("checkpoint", ""),
            electorate,
            policy,
            Math.clamp(rounds, -1, MOST_ROUNDS + 1),
            payload.flag("blind"),
            quick,
            seconds == 0
                ? null
                : Duration.ofSeconds(Math.clamp(seconds, 0, MOST_DEADLINE.toSeconds() + 1)),
            missing);
    return agenda.problem() == null ? agenda : null;
  }

  /** The fields of the envelope that opens a session with this agenda. */
  public Json.ObjectBuilder write() {
    Json.ObjectBuilder json =
        Json.object()
            .put("checkpoint", checkpoint)
            .put("electorate", Json.ofStrings(electorate))
            .put("policy", policy.toString())
            .put("rounds", rounds);
    if (blind) {
      json.put("blind", true);
    }
    if (quick) {
      json.put("quick", true);
    }
    if (deadline != null) {
      json.put("deadline", deadline.toSeconds());
    }
    return json.put("missing", missing.word());
  }
}
