package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Predicate;

/**
 * The decision of a board. It never changes.
 *
 * @param votes the votes that were cast; in a quick review, those that the assessments amount to
 * @param consensus whether at least four fifths of the electors approve
 * @param dissent the electors who voted against the decision, and why
 * @param missing the electors who said nothing until the end
 * @param changes the electors who voted otherwise than their assessments
 * @param position of the envelope that decided
 */
public record Resolution(
    Verdict verdict,
    SequencedMap<String, Vote> votes,
    boolean consensus,
    List<Condition> conditions,
    List<Dissent> dissent,
    List<String> missing,
    List<Change> changes,
    long position,
    Instant at) {

  /** A vote against the decision. */
  public record Dissent(String director, Vote vote, String reason) {
    public Json toJson() {
      return Json.object()
          .put("director", director)
          .put("verdict", vote.name())
          .put("reason", reason)
          .build();
    }
  }

  /** A vote that differs from what the elector's assessment amounted to. */
  public record Change(String director, Opinion before, Vote after) {
    public Json toJson() {
      return Json.object()
          .put("director", director)
          .put("before", before.name())
          .put("after", after.name())
          .build();
    }
  }

  /** The decision that the votes of a session make at this position. */
  static Resolution of(BoardSession meeting, long position, Instant now) {
    Agenda agenda = meeting.agenda();
    SequencedMap<String, Vote> votes = new LinkedHashMap<>();
    List<Condition> conditions = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    for (String elector : agenda.electorate()) {
      Assessment assessment = meeting.assessments().get(elector);
      Ballot ballot = meeting.ballots().get(elector);
      if (agenda.quick()) {
        if (assessment != null) {
          votes.put(elector, assessment.opinion().leaning());
        }
      } else if (ballot != null) {
        votes.put(elector, ballot.vote());
        for (String text : ballot.conditions()) {
          conditions.add(Condition.of(meeting.id(), conditions.size() + 1, elector, text));
        }
        if (assessment != null && assessment.opinion().leaning() != ballot.vote()) {
          changes.add(new Change(elector, assessment.opinion(), ballot.vote()));
        }
      }
    }
    List<String> missing =
        agenda.electorate().stream().filter(elector -> !votes.containsKey(elector)).toList();
    int approve = count(votes, Vote.APPROVE);
    int against =
        count(votes, Vote.REJECT) + (agenda.missing() == MissingPolicy.REJECT ? missing.size() : 0);
    boolean incomplete = !missing.isEmpty() && agenda.missing() == MissingPolicy.ESCALATE;
    Verdict verdict =
        incomplete
            ? Verdict.ESCALATE
            : agenda.policy().verdict(approve, against, agenda.electorate().size());
    return new Resolution(
        verdict,
        votes,
        5 * approve >= 4 * agenda.electorate().size(),
        List.copyOf(conditions),
        dissent(meeting, verdict, votes),
        missing,
        List.copyOf(changes),
        position,
        now);
  }

  private static int count(SequencedMap<String, Vote> votes, Vote vote) {
    return (int) votes.values().stream().filter(Predicate.isEqual(vote)).count();
  }

  private static List<Dissent> dissent(
      BoardSession meeting, Verdict verdict, SequencedMap<String, Vote> votes) {
    Vote winner = verdict.winner();
    List<Dissent> dissent = new ArrayList<>();
    votes.forEach((elector, vote) -> {
      if (winner != null && vote != winner && vote != Vote.ABSTAIN) {
        dissent.add(new Dissent(elector, vote, reason(meeting, elector)));
      }
    });
    return List.copyOf(dissent);
  }

  /** The reason that an elector gave with its vote; without one, its concerns. */
  private static String reason(BoardSession meeting, String elector) {
    Ballot ballot = meeting.ballots().get(elector);
    Assessment assessment = meeting.assessments().get(elector);
    if (ballot != null && !ballot.reason().isEmpty()) {
      return ballot.reason();
    }
    return assessment == null ? "" : String.join("; ", assessment.concerns());
  }

  /** All fields, for programs. */
  public Json.ObjectBuilder write() {
    Json.ObjectBuilder cast = Json.object();
    votes.forEach((elector, vote) -> cast.put(elector, vote.name()));
    return Json.object()
        .put("verdict", verdict.name())
        .put("votes", cast.build())
        .put("conditions", Json.of(conditions.stream().map(Condition::toJson).toList()))
        .put("dissent", Json.of(dissent.stream().map(Dissent::toJson).toList()))
        .put("consensus", consensus)
        .put("missing", Json.ofStrings(missing))
        .put("changed", Json.of(changes.stream().map(Change::toJson).toList()))
        .put("position", position)
        .put("at", Timestamps.format(at));
  }

  static Resolution load(Fields saved) {
    SequencedMap<String, Vote> votes = new LinkedHashMap<>();
    Fields cast = saved.object("votes");
    cast.values()
        .keySet()
        .forEach(elector -> votes.put(elector, Vote.valueOf(cast.text(elector, ""))));
    return new Resolution(
        Verdict.valueOf(saved.text("verdict", "")),
        votes,
        saved.flag("consensus"),
        saved.objects("conditions").stream().map(Condition::load).toList(),
        saved.objects("dissent").stream().map(Resolution::dissent).toList(),
        saved.texts("missing"),
        saved.objects("changed").stream().map(Resolution::change).toList(),
        saved.number("position", 0),
        saved.need("at"));
  }

  private static Dissent dissent(Fields saved) {
    return new Dissent(
        saved.text("director", ""),
        Vote.valueOf(saved.text("verdict", "")),
        saved.text("reason", ""));
  }

  private static Change change(Fields saved) {
    return new Change(
        saved.text("director", ""),
        Opinion.valueOf(saved.text("before", "")),
        Vote.valueOf(saved.text("after", "")));
  }
}
