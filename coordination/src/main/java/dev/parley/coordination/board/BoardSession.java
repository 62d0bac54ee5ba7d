package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One session of a board: its agenda, its phase, and what the electors said. Immutable.
 *
 * @param assessments by elector, in the order in which they first came
 * @param ballots by elector, in the order in which they first came
 * @param resolution the decision; null before the session is decided
 * @param resolvedBy the agent that acknowledged the decision; null before
 */
public record BoardSession(
    Opening opening,
    PhaseState stage,
    SequencedMap<String, Assessment> assessments,
    List<Statement> remarks,
    SequencedMap<String, Ballot> ballots,
    @Nullable Resolution resolution,
    @Nullable String resolvedBy) {

  /**
   * How a session began. The text of the proposal is only in the log.
   *
   * @param by the agent that opened it
   * @param after the position before the envelope that opened it: reading on from there gives it
   *     again
   * @param position the position of that envelope
   */
  public record Opening(String id, Agenda agenda, String by, long after, long position) {}

  static BoardSession opened(Opening opening, Instant now) {
    return new BoardSession(
        opening,
        PhaseState.of(Phase.ASSESS, opening.agenda, now),
        Collections.unmodifiableSequencedMap(new LinkedHashMap<>()),
        List.of(),
        Collections.unmodifiableSequencedMap(new LinkedHashMap<>()),
        null,
        null);
  }

  public String id() {
    return opening.id;
  }

  public Agenda agenda() {
    return opening.agenda;
  }

  public Phase phase() {
    return stage.phase();
  }

  public boolean isElector(String name) {
    return agenda().electorate().contains(name);
  }

  /** Whether assessments must not be shown yet. */
  public boolean isBlind() {
    return agenda().blind() && phase() == Phase.ASSESS;
  }

  /** The electors that the phase, or the round of discussion, still waits for. */
  public List<String> missing() {
    Predicate<String> isIn =
        switch (phase()) {
          case ASSESS -> assessments::containsKey;
          case DISCUSS -> spoken()::contains;
          case VOTE -> ballots::containsKey;
          case RESOLVE, COMPLETE -> elector -> true;
        };
    return agenda().electorate().stream().filter(isIn.negate()).toList();
  }

  /** The electors who have spoken in this round. */
  private Set<String> spoken() {
    Set<String> spoken = new HashSet<>();
    for (Statement remark : remarks.reversed()) {
      if (remark.round() < stage.round()) {
        break;
      }
      spoken.add(remark.from());
    }
    return spoken;
  }

  BoardSession assessed(String elector, Assessment assessment) {
    return new BoardSession(
        opening,
        stage,
        with(assessments, elector, assessment),
        remarks,
        ballots,
        resolution,
        resolvedBy);
  }

  BoardSession said(Statement remark) {
    List<Statement> all = new ArrayList<>(remarks);
    all.add(remark);
    return new BoardSession(
        opening,
        stage,
        assessments,
        Collections.unmodifiableList(all),
        ballots,
        resolution,
        resolvedBy);
  }

  BoardSession voted(String elector, Ballot ballot) {
    return new BoardSession(
        opening,
        stage,
        assessments,
        remarks,
        with(ballots, elector, ballot),
        resolution,
        resolvedBy);
  }

  BoardSession resolved(String by, Instant now) {
    return new BoardSession(
        opening,
        PhaseState.of(Phase.COMPLETE, agenda(), now),
        assessments,
        remarks,
        ballots,
        resolution,
        by);
  }

  private static <T> SequencedMap<String, T> with(
      SequencedMap<String, T> map, String key, T value) {
    SequencedMap<String, T> all = new LinkedHashMap<>(map);
    all.put(key, value);
    return Collections.unmodifiableSequencedMap(all);
  }

  /** Goes on to the next round or phase if no elector is missing. */
  BoardSession settled(long position, Instant now) {
    if (!missing().isEmpty()) {
      return this;
    }
    boolean moreRounds = phase() == Phase.DISCUSS && stage.round() < agenda().rounds();
    return moreRounds ? at(stage.nextRound()) : ended(position, now);
  }

  /** Ends the phase although electors are missing. */
  BoardSession ended(long position, Instant now) {
    boolean incomplete = !missing().isEmpty() && agenda().missing() == MissingPolicy.ESCALATE;
    return switch (phase()) {
      case ASSESS ->
          agenda().quick() || incomplete
              ? decided(position, now)
              : to(agenda().rounds() > 0 ? Phase.DISCUSS : Phase.VOTE, now);
      case DISCUSS -> to(Phase.VOTE, now);
      case VOTE -> decided(position, now);
      case RESOLVE, COMPLETE -> this;
    };
  }

  private BoardSession to(Phase next, Instant now) {
    return at(PhaseState.of(next, agenda(), now));
  }

  private BoardSession at(PhaseState next) {
    return new BoardSession(opening, next, assessments, remarks, ballots, resolution, resolvedBy);
  }

  private BoardSession decided(long position, Instant now) {
    return new BoardSession(
        opening,
        PhaseState.of(Phase.RESOLVE, agenda(), now),
        assessments,
        remarks,
        ballots,
        Resolution.of(this, position, now),
        null);
  }

  BoardSession movedBack(Duration by) {
    return at(stage.movedBack(by));
  }

  Json save() {
    Json.ObjectBuilder json =
        agenda()
            .write()
            .put("id", opening.id)
            .put("by", opening.by)
            .put("after", opening.after)
            .put("position", opening.position)
            .put("stage", stage.save())
            .put("assessments", save(assessments, assessment -> assessment.write().build()))
            .put("remarks", Json.of(remarks.stream().map(Statement::save).toList()))
            .put("ballots", save(ballots, ballot -> ballot.write().build()));
    if (resolution != null) {
      json.put("resolution", resolution.write().build());
    }
    return (resolvedBy == null ? json : json.put("resolvedBy", resolvedBy)).build();
  }

  private static <T> Json save(SequencedMap<String, T> map, Function<T, Json> save) {
    Json.ObjectBuilder json = Json.object();
    map.forEach((key, value) -> json.put(key, save.apply(value)));
    return json.build();
  }

  static BoardSession load(Fields saved) {
    Agenda agenda = Objects.requireNonNull(Agenda.read(saved));
    return new BoardSession(
        new Opening(
            saved.text("id", ""),
            agenda,
            saved.text("by", ""),
            saved.number("after", 0),
            saved.number("position", 0)),
        PhaseState.load(saved.object("stage")),
        load(saved.object("assessments"), Assessment::read),
        saved.objects("remarks").stream().map(Statement::load).toList(),
        load(saved.object("ballots"), Ballot::read),
        saved.json("resolution") == null ? null : Resolution.load(saved.object("resolution")),
        saved.text("resolvedBy"));
  }

  private static <T> SequencedMap<String, T> load(
      Fields saved, Function<Fields, @Nullable T> read) {
    SequencedMap<String, T> map = new LinkedHashMap<>();
    saved
        .values()
        .keySet()
        .forEach(key -> map.put(key, Objects.requireNonNull(read.apply(saved.object(key)))));
    return Collections.unmodifiableSequencedMap(map);
  }
}
