package dev.parley.orchestration.ask;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of one run on the bus: a fold of the run's topic alone. */
public final class RunRecord {
  static final String TOPICS = "runs";

  private final String id;
  private String kind = "";
  private Json parameters = Json.EMPTY_OBJECT;
  private @Nullable RunLimits limits;
  private String folder = "";
  private String sender = "";
  private Instant started = Instant.EPOCH;
  private long startedAt;
  private @Nullable Instant ended;
  private String outcome = "";
  private Json result = Json.EMPTY_OBJECT;
  private boolean stopping;
  private int asksMade;
  private Duration spentBefore = Duration.ZERO;
  private Instant begun = Instant.EPOCH;
  private Instant heard = Instant.EPOCH;
  private final Map<String, Entry> asks = new LinkedHashMap<>();
  private final Map<String, Json> notes = new LinkedHashMap<>();
  private final Map<String, String> sessions = new LinkedHashMap<>();

  private RunRecord(String id) {
    this.id = id;
  }

  /**
   * One ask of a run.
   *
   * @param key identifies the ask when the run is resumed
   * @param number counts the asks of the run from 1
   * @param prompt the digest of the prompt
   * @param status how it ended; null if it is running, or its process was killed
   * @param answer the digest of the answer; empty if there is none
   */
  public record Entry(
      String key,
      int number,
      String agent,
      String stage,
      String prompt,
      Instant asked,
      Answer.@Nullable Status status,
      String answer,
      String error,
      int exitCode,
      Duration duration,
      Usage usage,
      int attempts,
      boolean cut) {
    /** Whether a resumed run takes the recorded answer instead of asking again. */
    public boolean isSettled() {
      return status != null && status != Answer.Status.STOPPED;
    }
  }

  static Topic topic(String id) {
    return new Topic(TOPICS + "." + id);
  }

  /** The runs of a bus, oldest first. */
  public static List<RunRecord> all(Log log) {
    List<RunRecord> runs = new ArrayList<>();
    for (Topic topic : log.topics(Prefix.of(TOPICS))) {
      RunRecord run = read(log, topic);
      if (run != null) {
        runs.add(run);
      }
    }
    runs.sort(Comparator.comparing(RunRecord::started).thenComparing(RunRecord::id));
    return runs;
  }

  /**
   * The run with an id or a prefix of one; {@code last} is the newest.
   *
   * @throws ParleyException REFUSED if there is none, or there are several
   */
  public static RunRecord named(Log log, String id) {
    List<RunRecord> all = all(log);
    if (id.equals("last") && !all.isEmpty()) {
      return all.getLast();
    }
    List<RunRecord> fitting = all.stream().filter(run -> run.id.equals(id)).toList();
    if (fitting.isEmpty()) {
      fitting =
          all.stream()
              .filter(run -> run.id.startsWith(id) || run.id.startsWith("run_" + id))
              .toList();
    }
    if (fitting.size() != 1) {
      throw ParleyException.refused(
          "no-such-run",
          (fitting.isEmpty() ? "There is no run \"" : "There are several runs \"") + id + "\".",
          "parley runs list shows them; last is the newest.");
    }
    return fitting.getFirst();
  }

  private static @Nullable RunRecord read(Log log, Topic topic) {
    if (!topic.name().startsWith(TOPICS + ".")) {
      return null;
    }
    RunRecord run = new RunRecord(topic.name().substring(TOPICS.length() + 1));
    WholeTopic.forEach(log, topic, run::apply);
    return run.kind.isEmpty() ? null : run;
  }

  private void apply(Envelope envelope) {
    if (!envelope.isNative()) {
      return;
    }
    Fields fields = Fields.of(envelope.payload());
    Instant time = envelope.time() == null ? Instant.EPOCH : envelope.time();
    switch (envelope.type()) {
      case RunTypes.START -> {
        if (kind.isEmpty()) {
          begin(envelope, fields, time);
        }
      }
      case RunTypes.RESUME -> {
        limits(fields);
        spentBefore = spent();
        begun = time;
        heard = time;
        ended = null;
        stopping = false;
        startedAt = envelope.position().value();
      }
      case RunTypes.NOTE -> {
        Json value = fields.json("value");
        notes.putIfAbsent(fields.text("name", ""), value == null ? Json.NULL : value);
      }
      case RunTypes.STOP -> stopping = true;
      case RunTypes.END -> {
        ended = time;
        outcome = fields.text("outcome", "");
        Json came = fields.json("result");
        result = came == null ? Json.EMPTY_OBJECT : came;
      }
      case RunTypes.ASK -> {
        asksMade++;
        asked(fields, time);
      }
      case RunTypes.ANSWER -> answered(fields);
      default -> {
        // A line of a later version: ignored.
      }
    }
    if (!envelope.type().equals(RunTypes.STOP) && time.isAfter(heard)) {
      heard = time;
    }
    String session = fields.text("session");
    if (session != null && envelope.type().equals(RunTypes.ASK)) {
      sessions.put(session, fields.text("agent", ""));
    }
  }

  private void limits(Fields fields) {
    RunLimits given = RunLimits.of(fields.json("limits"));
    limits = given == null ? limits : given;
  }

  private void begin(Envelope envelope, Fields fields, Instant time) {
    limits(fields);
    kind = fields.text("kind", "run");
    Json given = fields.json("parameters");
    parameters = given == null ? Json.EMPTY_OBJECT : given;
    folder = fields.text("folder", "");
    sender = envelope.sender();
    started = time;
    begun = time;
    heard = time;
    startedAt = envelope.position().value();
  }

  private void asked(Fields fields, Instant time) {
    String key = fields.text("key", "");
    asks.put(
        key,
        new Entry(
            key,
            (int) fields.number("number", 0),
            fields.text("agent", ""),
            fields.text("stage", ""),
            fields.text("prompt", ""),
            time,
            null,
            "",
            "",
            0,
            Duration.ZERO,
            Usage.UNKNOWN,
            0,
            false));
  }

  private void answered(Fields fields) {
    Entry asked = asks.get(fields.text("key", ""));
    Answer.Status status = fields.choice("status", Answer.Status.values());
    if (asked == null || asked.isSettled() || status == null) {
      return;
    }
    asks.put(
        asked.key,
        new Entry(
            asked.key,
            asked.number,
            asked.agent,
            asked.stage,
            asked.prompt,
            asked.asked,
            status,
            fields.text("answer", ""),
            fields.text("error", ""),
            (int) fields.number("exitCode", 0),
            Duration.ofMillis(fields.number("millis", 0)),
            new Usage(
                fields.number("inputTokens", -1),
                fields.number("outputTokens", -1),
                fields.number("costMicros", -1)),
            (int) fields.number("attempts", 1),
            fields.flag("cut")));
  }

  public String id() {
    return id;
  }

  /** What it does: ask, consensus, board, loop, …. */
  public String kind() {
    return kind;
  }

  /** Its parameters; their form depends on the kind. */
  public Json parameters() {
    return parameters;
  }

  /** The limits with which it was begun or last resumed; null for a run of an earlier version. */
  public @Nullable RunLimits limits() {
    return limits;
  }

  public Path folder() {
    return Path.of(folder);
  }

  public String sender() {
    return sender;
  }

  public Instant started() {
    return started;
  }

  /** When it ended; null if it is running or was resumed. */
  public @Nullable Instant ended() {
    return ended;
  }

  /** How it ended: {@code complete}, {@code failed} or {@code stopped}; empty if it has not. */
  public String outcome() {
    return ended == null ? "" : outcome;
  }

  /** Its result; the form depends on the kind. */
  public Json result() {
    return result;
  }

  /** Whether a stop was requested since the run last began or was resumed. */
  public boolean isStopping() {
    return stopping;
  }

  /** Whether a process of this machine works on the run. */
  public boolean isAlive() {
    return ended == null && RunFolder.isAlive(folder());
  }

  /** The asks, in order. */
  public List<Entry> asks() {
    return List.copyOf(asks.values());
  }

  @Nullable Entry ask(String key) {
    return asks.get(key);
  }

  /** The decision recorded under a name; null if there is none. */
  public @Nullable Json note(String name) {
    return notes.get(name);
  }

  public Map<String, Json> notes() {
    return Map.copyOf(notes);
  }

  /** The names of its agents' sessions, by session id. */
  Map<String, String> sessions() {
    return Map.copyOf(sessions);
  }

  long startedAt() {
    return startedAt;
  }

  /** How many asks all its processes have made, failed ones included. */
  int asksMade() {
    return asksMade;
  }

  /** How long its processes have worked on it. A killed process counts until its last line. */
  Duration spent() {
    Duration last = Duration.between(begun, heard);
    return spentBefore.plus(last.isNegative() ? Duration.ZERO : last);
  }

  /** The usage of all its answers. */
  public Usage usage() {
    Usage sum = Usage.UNKNOWN;
    for (Entry ask : asks.values()) {
      sum = sum.plus(ask.usage);
    }
    return sum;
  }

  /** The answer of a settled ask, with its text. */
  public static Answer answer(Entry ask, Contents contents) {
    Answer.Status status = ask.status == null ? Answer.Status.STOPPED : ask.status;
    String text =
        ask.answer.isEmpty() ? "" : new String(contents.load(ask.answer), StandardCharsets.UTF_8);
    return new Answer(
        ask.agent,
        status,
        text,
        ask.error,
        ask.exitCode,
        ask.duration,
        ask.usage,
        ask.attempts,
        ask.cut);
  }
}
