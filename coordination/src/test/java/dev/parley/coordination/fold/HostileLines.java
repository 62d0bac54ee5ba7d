package dev.parley.coordination.fold;

import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Writes lines that a Parley might write, and lines that it never would.
 *
 * <p>What names a message names it by an id that has been written, or by none: ids hold 80 random
 * bits, so that nobody can name one before.
 */
final class HostileLines {
  static final Topic LEDGER = new Topic("ledger");
  static final Topic MAIL = new Topic("mail.x");
  static final Topic RECEIPTS = new Topic("receipts.x");
  static final Topic SENT = new Topic("sent.x");
  static final Topic BULLETIN = new Topic("bulletin.x");
  static final List<Topic> TOPICS = List.of(LEDGER, LEDGER, MAIL, RECEIPTS, SENT, BULLETIN);

  private final Random random;
  private final LineLog log;
  private final HostileWork work;
  private final List<WriterId> writers = new ArrayList<>();
  private final Map<String, Long> seqs = new HashMap<>();
  private final Map<Topic, List<String>> written = new HashMap<>();

  /** The id of each line of the mail, as a mailbox calls it. */
  private final List<String> ids = new ArrayList<>();

  private long number;
  private Instant now = Instant.parse("2026-11-15T12:00:00Z");

  HostileLines(Random random, LineLog log) {
    this.random = random;
    this.log = log;
    this.work = new HostileWork(random, this::junk);
    for (int i = 0; i < 6; i++) {
      writers.add(writer(random));
    }
  }

  private static WriterId writer(Random random) {
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < 16; i++) {
      id.append("abcdefghijklmnopqrstuvwxyz234567".charAt(random.nextInt(32)));
    }
    return Objects.requireNonNull(WriterId.in(id + "-1"));
  }

  void write() {
    now = now.plusMillis(random.nextInt(20_000));
    if (chance(200)) {
      now = now.plusSeconds(random.nextInt(7200));
    }
    Topic topic = TOPICS.get(random.nextInt(TOPICS.size()));
    List<String> before = written.computeIfAbsent(topic, name -> new ArrayList<>());
    String line =
        !before.isEmpty() && chance(30)
            ? before.get(random.nextInt(before.size()))
            : topic.equals(LEDGER)
                ? ledger()
                : topic.equals(MAIL)
                    ? mail()
                    : topic.equals(RECEIPTS)
                        ? receipt()
                        : topic.equals(BULLETIN) ? bulletin() : sent();
    log.add(topic, line);
    before.add(line);
    if (topic.equals(MAIL)) {
      List<dev.parley.core.Envelope> lines = log.lines(MAIL);
      String id = lines.getLast().id();
      ids.add(id.isEmpty() ? lines.getLast().position().in(MAIL) : id);
    }
  }

  private boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  @SafeVarargs
  private <T> T any(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String stamp() {
    return switch (random.nextInt(60)) {
      case 0 -> "2099-01-01T00:00:00.000000Z";
      case 1 -> "1999-01-01T00:00:00.000000Z";
      case 2 -> "+10000-01-01T00:00:00.0000Z";
      case 3 -> "0000-01-01T00:00:00.000000Z";
      case 4 -> "9999-12-31T23:59:59.999999Z";
      case 5 -> "2026-13-41T99:00:00.000000Z";
      case 6 -> Timestamps.format(now.plusSeconds(random.nextInt(1000) - 500));
      case 7 -> Timestamps.format(now.minusSeconds(3600 + random.nextInt(9)));
      default -> Timestamps.format(now);
    };
  }

  private String sender() {
    return chance(100) ? any("", "no name", "a b") : any("alice", "bob", "x", "parley");
  }

  /** Something where an object or a text is expected. */
  private Json junk() {
    return any(
        Json.NULL,
        Json.of(random.nextLong()),
        Json.of(Seed.nastyText(random, 20)),
        Json.of(List.of(Json.of(-1), Json.EMPTY_OBJECT)),
        Json.object().put("session", 7).put("through", "x").put("at", 9).build());
  }

  private String line(Topic topic, String type, Json payload, Map<String, Json> more) {
    Json.ObjectBuilder json = Json.object();
    if (chance(25)) {
      if (chance(2)) {
        json.put("id", Seed.nastyText(random, 5));
      }
      json.put("sender", sender()).put("type", type);
      if (chance(2)) {
        json.put("timestamp", any(stamp(), "yesterday", "2026-11-15 12:00:00+02:00"));
      }
    } else {
      WriterId writer = writers.get(random.nextInt(writers.size()));
      long step = chance(100) ? random.nextInt(3) : 1;
      long seq = seqs.merge(writer + topic.name(), step, Long::sum);
      json.put("id", writer.id(++number))
          .put("seq", Math.max(1, seq))
          .put("timestamp", stamp())
          .put("sender", sender())
          .put("topic", topic.name())
          .put("type", type);
    }
    json.put("payload", chance(40) ? junk() : payload);
    more.forEach(json::put);
    return json.build().toString();
  }

  private String session() {
    return any("s1", "s2", "s3", "s4", "");
  }

  private Json.ObjectBuilder session(String key) {
    return Json.object().put(key, session());
  }

  private String ledger() {
    return switch (random.nextInt(4)) {
      case 0 -> board();
      case 1, 2 -> work();
      default -> presence();
    };
  }

  private String work() {
    Json.ObjectBuilder payload = session("session");
    String type = work.type();
    work.fill(type, payload, log.lines(LEDGER).size());
    return line(LEDGER, type, payload.build(), Map.of());
  }

  private String presence() {
    String type =
        chance(12)
            ? "undo"
            : any(
                "join",
                "join",
                "heartbeat",
                "heartbeat",
                "leave",
                "expect",
                "rules",
                "other",
                "tick");
    Json.ObjectBuilder payload = session("session");
    switch (type) {
      case "undo" ->
          payload
              .put("positions", chance(9) ? junk() : Json.of(List.of(anyLine(), anyLine())))
              .put("reason", chance(9) ? " " : "not ours");
      case "join" ->
          payload
              .put("role", Seed.nastyText(random, chance(9) ? 600 : 8))
              .put("can", chance(3) ? junk() : Json.ofStrings(List.of("a", "b")));
      case "heartbeat" ->
          payload
              .put("status", any("RUNNING", "failed", "nonsense"))
              .put("progress", chance(5) ? junk() : Json.of(random.nextInt(300) - 100L))
              .put("task", chance(5) ? junk() : Json.of("t"));
      case "expect" ->
          payload.put("names", Json.ofStrings(List.of("erin", "no name", "" + number)));
      case "rules" ->
          payload
              .put("rules", chance(100) ? 999 : 1 + random.nextInt(2))
              .put("limits", Json.object().put("waits", 1 + random.nextInt(9)).build())
              .put("staleAfter", any(0L, 1L, 60L, 600L, -5L, Long.MAX_VALUE));
      default -> time(LEDGER, payload);
    }
    return line(LEDGER, chance(60) ? "clock.reset" : type, payload.build(), Map.of());
  }

  /** One of the last lines of the ledger, or one that is not there yet. */
  private Json anyLine() {
    int size = log.lines(LEDGER).size();
    return Json.of(Math.max(1, size + 2 - random.nextInt(60)));
  }

  /** Sessions of a board whose electors come, go and contradict themselves. */
  private String board() {
    Json.ObjectBuilder payload =
        session("session").put("board", "board-" + (number / 400 + random.nextInt(3)));
    String type =
        any("open", "open", "assess", "assess", "discuss", "vote", "vote", "vote", "advance");
    switch (type) {
      case "open" ->
          payload
              .put(
                  "board",
                  chance(9) ? junk() : Json.of("board-" + (number / 400 + random.nextInt(5))))
              .put("checkpoint", Seed.nastyText(random, chance(9) ? 120 : 8) + "c")
              .put(
                  "electorate",
                  Json.ofStrings(chance(9) ? DOUBLE : any(List.of("alice", "bob"), List.of("x"))))
              .put("policy", chance(9) ? "five" : any("majority", "unanimous", "at-least-1"))
              .put("rounds", chance(9) ? any(-1L, Long.MAX_VALUE) : any(0L, 0L, 1L, 2L))
              .put("blind", chance(2))
              .put("quick", chance(4))
              .put("deadline", chance(9) ? any(-7L, Long.MIN_VALUE) : any(0L, 10L, 300L))
              .put("missing", chance(9) ? "odd" : any("abstain", "reject", "ESCALATE"));
      case "assess" ->
          payload
              .put("verdict", any("APPROVE", "concerns", "REJECT", "odd"))
              .put("score", any(1L, 10L, 5L, 11L))
              .put("concerns", chance(5) ? junk() : texts())
              .put("recommendations", texts());
      case "discuss" ->
          payload
              .put("to", any("ALL", "alice", "bob", "nobody"))
              .put("kind", any("AGREE", "QUESTION", "odd"))
              .put("body", Seed.nastyText(random, 20))
              .put("changesMyVerdict", chance(2));
      case "vote" ->
          payload
              .put("verdict", any("APPROVE", "REJECT", "ABSTAIN", "odd"))
              .put("confidence", any(Json.of(1), Json.parse("0.75"), Json.parse("9e-1"), junk()))
              .put("conditions", chance(5) ? junk() : texts())
              .put("reason", Seed.nastyText(random, chance(9) ? 1_200 : 9));
      default -> {
        type = any("advance", "resolve", "check-condition");
        payload
            .put("condition", "board-" + (number / 400) + "." + random.nextInt(3))
            .put("note", Seed.nastyText(random, 9));
      }
    }
    return line(LEDGER, "board." + type, payload.build(), Map.of());
  }

  private static final List<String> DOUBLE = List.of("alice", "alice");

  private Json texts() {
    return Json.ofStrings(
        any(
            List.of(),
            List.of(Seed.nastyText(random, 12)),
            List.of("tests", Seed.nastyText(random, chance(9) ? 1_200 : 5))));
  }

  private String bulletin() {
    Json.ObjectBuilder payload =
        Json.object()
            .put(
                "text",
                chance(9) ? Seed.nastyText(random, 12) : any("a", "A ", "see src/a.ts", "b\n  c"));
    if (chance(3)) {
      payload
          .put("of", any("warning", "discovery", "intent", "odd"))
          .put("wave", Seed.nastyText(random, 4))
          .put("from", chance(5) ? junk() : texts())
          .put("count", any(1L, 3L, -1L, Long.MAX_VALUE));
    }
    if (chance(5)) {
      payload.put("paths", chance(3) ? junk() : Json.ofStrings(List.of("src/**", "../x", "[")));
    }
    return line(
        BULLETIN,
        "board." + any("discovery", "warning", "intent", "context", "odd"),
        payload.build(),
        Map.of());
  }

  private void time(Topic topic, Json.ObjectBuilder payload) {
    payload.put("names", Math.max(0, log.lines(topic).size() - random.nextInt(3)));
  }

  private String mail() {
    if (chance(12)) {
      Json.ObjectBuilder payload = Json.object();
      return chance(3)
          ? line(
              MAIL,
              "mail.limits",
              payload
                  .put("messages", any(1L, 50L, 0L, 1000L))
                  .put("chain", any(1L, 2L, 4L))
                  .put("keys", any(1L, 3L, 1L << 40, 20L))
                  .build(),
              Map.of())
          : line(
              MAIL,
              any("mail.let-go", "mail.let-go", "mail.odd"),
              payload.put("position", random.nextInt(ids.size() + 3) - 1).build(),
              Map.of());
    }
    Map<String, Json> more = new HashMap<>();
    if (chance(2)) {
      more.put("thread", Json.of(any("t1", "t2", "t3", Seed.nastyText(random, 4))));
    }
    if (chance(2)) {
      more.put("automatic", Json.of(true));
    }
    if (chance(3)) {
      more.put("key", Json.of(any("k1", "k2", "k3", "k4", "k5", "k6") + random.nextInt(5)));
    }
    if (chance(3)) {
      more.put("replyTo", Json.of("r"));
    }
    if (chance(3)) {
      more.put("needsReply", Json.of(true));
      more.put("deadline", Json.of(deadline()));
    }
    if (chance(5)) {
      more.put("priority", Json.of(any("high", "LOW", "odd")));
    }
    Json payload =
        Json.object().put("subject", "s").put("body", any("ok", "Thanks!", "words")).build();
    return line(MAIL, any("task", "message", "status"), payload, more);
  }

  private String deadline() {
    return switch (random.nextInt(8)) {
      case 0 -> "+10000-01-01T00:00:00Z";
      case 1 -> now.plusNanos(random.nextLong(60_000_000_000L)).toString();
      case 2 -> "soon";
      case 3 -> "2026-11-15T14:00:00.123456789+01:00";
      default -> Timestamps.format(now.plusSeconds(random.nextInt(120) - 30));
    };
  }

  /** A place in the mail and the id of the message there; or one where nothing is yet. */
  private record Named(long position, String id) {}

  private Named named() {
    if (ids.isEmpty() || chance(10)) {
      String id = chance(2) || ids.isEmpty() ? "nothing" : writers.getFirst().id(1);
      return new Named(ids.size() + 1 + random.nextInt(200), id);
    }
    int last = ids.size() - 1;
    int index = chance(2) ? Math.max(0, last - random.nextInt(30)) : random.nextInt(ids.size());
    return new Named(index + 1L, chance(20) ? "nothing" : ids.get(index));
  }

  private String receipt() {
    Json.ObjectBuilder payload =
        Json.object()
            .put("mailbox", ids.isEmpty() || chance(30) ? "nothing" : ids.getFirst())
            .put("session", chance(20) ? null : session());
    String type =
        any("mail.receipt", "mail.receipt", "mail.end", "mail.overdue", "mail.overdue", "tick");
    switch (type) {
      case "mail.receipt" -> {
        for (String what :
            any(List.of("delivered"), List.of("seen"), List.of("delivered", "seen"))) {
          payload.put(what, marks());
        }
      }
      case "mail.end" -> {
        List<Named> ended = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
          ended.add(named());
        }
        payload
            .put(
                "how", any("answered", "acknowledged", "refused", "removed", "dead", "dead", "odd"))
            .put("at", Json.of(ended.stream().map(one -> Json.of(one.position)).toList()))
            .put("ids", Json.ofStrings(ended.stream().map(one -> one.id).toList()));
        if (chance(3)) {
          payload.put("reason", Seed.nastyText(random, 9));
        }
      }
      case "mail.overdue" -> {
        Named one = named();
        payload.put("position", one.position).put("id", one.id);
      }
      default -> time(RECEIPTS, payload);
    }
    return line(RECEIPTS, chance(60) ? "clock.reset" : type, payload.build(), Map.of());
  }

  private Json marks() {
    Named through = named();
    List<Json> except = new ArrayList<>();
    for (int i = random.nextInt(10); i > 0; i--) {
      except.add(chance(20) ? junk() : Json.of(random.nextInt(ids.size() + 5)));
    }
    return Json.object()
        .put("through", through.position)
        .put("id", through.id)
        .put("except", Json.of(except))
        .build();
  }

  private String sent() {
    Json copy =
        Json.object()
            .put("to", any("alice", "bob"))
            .put("id", "c" + random.nextInt(400))
            .put("position", random.nextInt(50) - 5)
            .build();
    Json payload =
        Json.object()
            .put("type", "task")
            .put("subject", Seed.nastyText(random, 9))
            .put("copies", Json.of(List.of(copy, chance(9) ? junk() : copy)))
            .build();
    return line(
        SENT,
        any("mail.sent", "mail.sent", "odd"),
        payload,
        chance(4) ? Map.of("deadline", Json.of(deadline())) : Map.of());
  }
}
