package dev.parley.coordination.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Lines of a ledger in which boards are opened and electors say all kinds of things. */
final class SessionLines {
  private static final Topic LEDGER = new Topic("ledger");
  private static final List<String> AGENTS = List.of("CA", "CPO", "CSO", "COO", "CXO", "bob");
  private static final String WRITERS = "abcdefgh";

  private final Random random;
  private final EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
  private final Map<String, Long> seqs = new HashMap<>();
  private Instant now = Instant.parse("2026-11-15T12:00:00Z");
  private long count;

  SessionLines(Random random) {
    this.random = random;
  }

  /** The session that has an agent's name. */
  static String session(String agent) {
    return "session-of-" + agent;
  }

  /** The phase that a session is in when a line comes: before it speaks, its time does. */
  static Phase phase(BoardSession meeting, Envelope line) {
    Instant ends = meeting.stage().ends();
    Instant time = line.time();
    Phase phase = meeting.phase();
    if (ends == null || time == null || time.isBefore(ends)) {
      return phase;
    }
    Agenda agenda = meeting.agenda();
    boolean all = meeting.assessments().size() == agenda.electorate().size();
    return switch (phase) {
      case ASSESS ->
          agenda.quick() || (agenda.missing() == MissingPolicy.ESCALATE && !all)
              ? Phase.RESOLVE
              : agenda.rounds() > 0 ? Phase.DISCUSS : Phase.VOTE;
      case DISCUSS -> Phase.VOTE;
      default -> Phase.RESOLVE;
    };
  }

  /** Where the line before the last ends. */
  Position before() {
    return new Position(count - 1);
  }

  Envelope next(Boards boards) {
    now = now.plusMillis(random.nextInt(4_000));
    if (count < 1 + AGENTS.size()) {
      return count == 0
          ? line("parley", "rules", Json.object().put("rules", 1).put("staleAfter", 86_400), true)
          : line(AGENTS.get((int) count - 1), "join", Json.object(), true);
    }
    String who = AGENTS.get(random.nextInt(AGENTS.size()));
    List<BoardSession> open =
        boards.all().stream().filter(meeting -> meeting.phase() != Phase.COMPLETE).toList();
    if (open.isEmpty() || chance(40)) {
      return line(who, BoardTypes.OPEN, agenda(), true);
    }
    BoardSession meeting = open.get(random.nextInt(open.size()));
    String board = chance(30) ? "nothing" : meeting.id();
    Json.ObjectBuilder payload = Json.object().put("board", board);
    // Mostly what the phase asks for, so that sessions come to an end; but also anything else.
    int what = chance(4) ? random.nextInt(6) : List.of(Phase.values()).indexOf(meeting.phase());
    boolean isNative = !chance(15);
    return switch (what) {
      case 0 ->
          line(
              who,
              BoardTypes.ASSESS,
              payload.put("verdict", any("APPROVE", "CONCERNS", "REJECT")).put("score", 5),
              isNative);
      case 1 ->
          line(who, BoardTypes.DISCUSS, payload.put("to", "ALL").put("kind", "AGREE"), isNative);
      case 2 ->
          line(
              who,
              BoardTypes.VOTE,
              payload
                  .put("verdict", any("APPROVE", "APPROVE", "REJECT", "ABSTAIN", "odd"))
                  .put("conditions", Json.ofStrings(List.of("c" + count))),
              isNative);
      case 3 -> line(who, BoardTypes.RESOLVE, payload, isNative);
      case 4 -> line(who, BoardTypes.ADVANCE, payload, isNative);
      default ->
          line(
              who,
              BoardTypes.CHECK_CONDITION,
              payload.put("condition", "board-" + random.nextInt(9) + ".1"),
              isNative);
    };
  }

  private Json.ObjectBuilder agenda() {
    Json.ObjectBuilder agenda =
        Json.object()
            .put("checkpoint", "c")
            .put("rounds", random.nextInt(3))
            .put("missing", any("abstain", "reject", "escalate"));
    if (chance(2)) {
      agenda.put("electorate", Json.ofStrings(AGENTS.subList(0, 2 + random.nextInt(4))));
      agenda.put("policy", any("majority", "at-least-2", "unanimous"));
    }
    if (chance(3)) {
      agenda.put("deadline", 5 + random.nextInt(60));
    }
    return chance(6) ? agenda.put("quick", true) : agenda;
  }

  private boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  private String any(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private Envelope line(String sender, String type, Json.ObjectBuilder payload, boolean isNative) {
    String session = chance(25) && isNative && count > AGENTS.size() ? "other" : session(sender);
    Json.ObjectBuilder json = Json.object();
    if (isNative) {
      String writer = String.valueOf(WRITERS.charAt(random.nextInt(WRITERS.length()))).repeat(16);
      json.put("id", writer + "-" + (count + 1))
          .put("seq", seqs.merge(writer, 1L, Long::sum))
          .put("timestamp", Timestamps.format(now))
          .put("sender", sender)
          .put("topic", LEDGER.name());
    } else {
      json.put("sender", sender);
    }
    byte[] line =
        json.put("type", type)
            .put("payload", payload.put("session", session).build())
            .build()
            .toString()
            .getBytes(UTF_8);
    return decoder.decode(LEDGER, line, 0, line.length, new Position(++count));
  }
}
