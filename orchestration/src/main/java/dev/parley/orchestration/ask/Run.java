package dev.parley.orchestration.ask;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.agent.Presets;
import dev.parley.orchestration.ask.call.Calls;
import dev.parley.orchestration.ask.call.PreparedAsk;
import dev.parley.orchestration.process.ProcessTree;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A run on the bus: asks agents, records every ask, and can be resumed after a crash.
 *
 * <pre>
 * begin ──▶ running ──end──▶ over
 *              │ killed, stopped
 *              └──resume──▶ running
 * </pre>
 *
 * <p>A resumed run does everything again from its beginning. An ask whose answer is on the bus
 * takes that answer, without asking anybody. So everything that prompts depend on must be the same
 * again: it comes from the parameters, from answers, or from {@linkplain #note notes}.
 *
 * <p>An answer is stored first, then the line that refers to it, then the run's folder. So after a
 * crash an ask is repeated only if its answer was not on the bus.
 *
 * <p>Safe for use by many threads.
 */
public final class Run implements Asker, AutoCloseable {
  /** The variable that names the run of a process. */
  public static final String VARIABLE = RunEnvironment.RUN;

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final String COMPLETE = "complete";
  private static final int DIGITS = 16;

  private final RunContext context;
  private final RunFolder folder;
  private final RunLimits limits;
  private final Topic topic;
  private final @Nullable RunRecord before;
  private final Map<String, Integer> asked = new HashMap<>();
  private final Map<String, Json> notes = new ConcurrentHashMap<>();
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final Object guard = new Object();
  private final RunEnvironment environment;
  private final RunBudget budget;
  private final RunTranscript transcript;
  private final RunJournal journal;
  private final Doorbell bell;
  private final Thread watch;
  private int number;
  private volatile boolean stopped;
  private volatile boolean closed;
  private boolean ended;

  /** The beginning of a run: as it is begun now, or as the bus has it. */
  private record Origin(String kind, Json parameters, @Nullable RunRecord before) {
    static Origin of(RunRecord before) {
      return new Origin(before.kind(), before.parameters(), before);
    }

    /** The run in a few words. */
    String describe() {
      String title = Fields.of(parameters).text("title", "");
      return title.isEmpty() ? kind : kind + ", " + RunFolder.oneLine(title);
    }
  }

  private Run(RunContext context, RunFolder folder, RunLimits limits, Origin origin, long from) {
    this.context = context;
    this.folder = folder;
    this.limits = limits;
    this.topic = RunRecord.topic(folder.id());
    this.before = origin.before;
    this.environment = new RunEnvironment(context, folder.id());
    this.budget = new RunBudget(folder.id(), limits, before);
    this.transcript = new RunTranscript(folder, origin.kind);
    this.journal = new RunJournal(context, folder, origin.describe());
    if (before != null) {
      notes.putAll(before.notes());
      number = before.asks().size();
      before.asks().forEach(ask -> transcript.knows(ask.agent()));
      journal.resume();
    }
    journal.progress(
        (before == null ? "Begun: " : "Going on: ")
            + origin.describe()
            + " (process "
            + ProcessHandle.current().pid()
            + ").");
    this.bell = context.log().doorbell(new Prefix(topic));
    this.watch = Thread.ofPlatform().daemon().name("run-stop").unstarted(() -> watchForStop(from));
  }

  /**
   * Begins a run.
   *
   * @param kind what it does, such as consensus
   * @param parameters everything that a resumed run needs
   */
  public static Run begin(RunContext context, String kind, Json parameters, RunLimits limits) {
    RunFolder folder = RunFolder.create(context.runs(), Instant.now());
    Json payload =
        Json.object()
            .put("kind", kind)
            .put("folder", folder.path().toString())
            .put("pid", ProcessHandle.current().pid())
            .put("limits", limits.toJson())
            .put("parameters", parameters)
            .build();
    return opened(
        context, folder, limits, new Origin(kind, parameters, null), RunTypes.START, payload);
  }

  /**
   * Resumes a run. Processes that its dead process left running are ended first.
   *
   * @throws ParleyException REFUSED if it is complete, or a process works on it
   */
  public static Run resume(RunContext context, String id, RunLimits limits)
      throws InterruptedException {
    RunRecord before = RunRecord.named(context.log(), id);
    if (before.outcome().equals(COMPLETE)) {
      throw ParleyException.refused(
          "run-complete",
          "The run " + before.id() + " is complete.",
          "parley runs show " + before.id() + " shows what came of it.");
    }
    RunFolder folder = RunFolder.resume(before.folder());
    endLeftovers(before);
    RunRecord now = RunRecord.named(context.log(), before.id());
    now.sessions()
        .forEach((session, agent) ->
            context.team().sessions().end(agent, session, "its run was killed"));
    Json payload =
        Json.object()
            .put("pid", ProcessHandle.current().pid())
            .put("limits", limits.toJson())
            .build();
    return opened(context, folder, limits, Origin.of(now), RunTypes.RESUME, payload);
  }

  private static Run opened(
      RunContext context,
      RunFolder folder,
      RunLimits limits,
      Origin origin,
      String type,
      Json payload) {
    try {
      long from = append(context, folder.id(), type, payload);
      Run run = new Run(context, folder, limits, origin, from);
      folder.log(type);
      run.watch.start();
      return run;
    } catch (RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /** Ends the processes that a killed process of the run left running. */
  public static int endLeftovers(RunRecord run) throws InterruptedException {
    return new ProcessTree(0, VARIABLE + "=" + run.id()).end();
  }

  private static long append(RunContext context, String id, String type, Json payload) {
    Message message =
        Message.builder(context.sender(), type).payload(payload).run(id).automatic(true).build();
    return context.log().append(RunRecord.topic(id), message).position().value();
  }

  public String id() {
    return folder.id();
  }

  public RunFolder folder() {
    return folder;
  }

  public RunContext context() {
    return context;
  }

  public RunLimits limits() {
    return limits;
  }

  /** The usage of all asks of the run so far. */
  public Usage usage() {
    return budget.usage();
  }

  /** How many asks this process has made. Recorded answers do not count. */
  public int asksMade() {
    return budget.asks();
  }

  /** Whether the run was told to stop. */
  public boolean isStopped() {
    return stopped;
  }

  /** Stops the run: running asks are ended, and no new ones are made. */
  public void stop() {
    stopped = true;
  }

  /**
   * Records a decision and returns it. A resumed run gets the recorded decision, whatever {@code
   * value} is.
   */
  public Json note(String name, Json value) {
    Json known = notes.putIfAbsent(name, value);
    if (known != null) {
      return known;
    }
    say(RunTypes.NOTE, Json.object().put("name", name).put("value", value).build());
    return value;
  }

  /** The decision recorded under a name; null if there is none. */
  public @Nullable Json noted(String name) {
    return notes.get(name);
  }

  /** Shows a text to people who watch the run. */
  public void tell(String text) {
    folder.log(text);
    journal.progress(text);
    emit(new RunEvent.Said(text));
  }

  /**
   * Posts the result of a review to the journal.
   *
   * @param fields the journal's review fields: scope, severity (blocker, major, minor, nit),
   *     findings, tests, recommendation
   * @param files the files that the findings name
   */
  public void review(Map<String, String> fields, List<String> files) {
    journal.review(fields, files);
  }

  /** Appends a line to the topic of the run. */
  public void say(String type, Json payload) {
    append(context, id(), type, payload);
  }

  private void emit(RunEvent event) {
    synchronized (context.listener()) {
      context.listener().on(event);
    }
  }

  @Override
  public Answer ask(Ask ask) throws InterruptedException {
    AgentDefinition agent = context.agents().named(ask.agent());
    byte[] prompt = ask.prompt().getBytes(StandardCharsets.UTF_8);
    String digest = Contents.digest(prompt);
    String key = key(ask, digest);
    RunRecord.Entry known = before == null ? null : before.ask(key);
    if (known != null && known.isSettled()) {
      Answer answer = RunRecord.answer(known, context.contents());
      journal.heard(answer.agent(), answer.ok(), answer.error());
      emit(new RunEvent.Answered(known.number(), ask.stage(), answer, true));
      return answer;
    }
    checkLimits();
    int count = known == null ? nextNumber() : known.number();
    var _ = context.contents().store(prompt);
    Session session = sessions.computeIfAbsent(agent.name(), name -> Session.begin(name));
    Duration timeout = timeout(ask, agent);
    Json.ObjectBuilder line =
        Json.object()
            .put("key", key)
            .put("number", count)
            .put("agent", agent.name())
            .put("stage", ask.stage())
            .put("prompt", digest)
            .put("promptBytes", prompt.length)
            .put("timeoutMillis", timeout.toMillis())
            .put("session", session.id());
    String task = ask.environment().get("PARLEY_TASK");
    say(RunTypes.ASK, (task == null ? line : line.put("task", task)).build());
    transcript.asked(count, ask, agent);
    emit(new RunEvent.Asked(count, agent.name(), ask.stage()));
    Answer answer = Calls.make(call(ask, agent, session, timeout));
    store(key, count, ask, answer);
    return answer;
  }

  /** Equal asks of the same agent get a counter in their key. */
  private String key(Ask ask, String digest) {
    String key =
        ask.stage()
            + "/"
            + ask.agent()
            + "/"
            + digest.substring(digest.indexOf(':') + 1).substring(0, DIGITS);
    synchronized (guard) {
      int times = asked.merge(key, 1, Integer::sum);
      return times == 1 ? key : key + "/" + times;
    }
  }

  private int nextNumber() {
    synchronized (guard) {
      return ++number;
    }
  }

  private void checkLimits() {
    if (stopped) {
      throw ParleyException.refused(
          "run-stopped", "The run was stopped.", "parley runs resume " + id() + " continues it.");
    }
    attempt(budget::takeAsk);
  }

  /**
   * Checks that the run may still take time, for whoever waits without asking.
   *
   * @throws ParleyException REFUSED if its time is over
   */
  public void checkTime() {
    attempt(budget::checkTime);
  }

  private void attempt(Runnable check) {
    try {
      check.run();
    } catch (ParleyException e) {
      journal.error(e.what());
      throw e;
    }
  }

  private Duration timeout(Ask ask, AgentDefinition agent) {
    Duration own = agent.timeout() == null ? limits.ask() : agent.timeout();
    Duration wanted = ask.timeout().isZero() ? own : ask.timeout();
    Duration left = budget.left();
    return wanted.compareTo(left) < 0 ? wanted : left;
  }

  private PreparedAsk call(Ask ask, AgentDefinition agent, Session session, Duration timeout) {
    return new PreparedAsk(
        ask.edits() ? Presets.editing(agent) : agent,
        ask,
        environment.of(agent, ask, session),
        environment.keys(agent),
        timeout,
        limits.output(),
        environment.secrets(agent, session),
        this::isStopped,
        transcript::printed);
  }

  /** The variables that every program of the run gets. */
  public Map<String, String> variables() {
    return environment.variables();
  }

  private void store(String key, int count, Ask ask, Answer answer) {
    byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
    String digest = bytes.length == 0 ? "" : context.contents().store(bytes);
    Json.ObjectBuilder line =
        Json.object()
            .put("key", key)
            .put("number", count)
            .put("agent", answer.agent())
            .put("stage", ask.stage())
            .put("status", answer.status().name().toLowerCase(Locale.ROOT))
            .put("answer", digest)
            .put("answerBytes", bytes.length)
            .put("millis", answer.duration().toMillis())
            .put("attempts", answer.attempts());
    if (!answer.error().isEmpty()) {
      line.put("error", answer.error());
    }
    if (context.agents().named(answer.agent()).way() instanceof CallMethod.Command) {
      line.put("exitCode", answer.exitCode());
    }
    if (answer.cut()) {
      line.put("cut", true);
    }
    put(line, "inputTokens", answer.usage().input());
    put(line, "outputTokens", answer.usage().output());
    put(line, "costMicros", answer.usage().costMicros());
    say(RunTypes.ANSWER, line.build());
    budget.spend(answer.usage());
    transcript.answered(count, ask, answer);
    journal.heard(answer.agent(), answer.ok(), answer.error());
    emit(new RunEvent.Answered(count, ask.stage(), answer, false));
  }

  private static void put(Json.ObjectBuilder line, String name, long value) {
    if (value >= 0) {
      line.put(name, value);
    }
  }

  private void watchForStop(long from) {
    try {
      Bookmark place = context.log().bookmark(topic, new Position(from));
      while (!closed) {
        Batch batch = context.log().read(topic, place, 256);
        for (Envelope envelope : batch.envelopes()) {
          if (envelope.type().equals(RunTypes.STOP)) {
            stopped = true;
          }
        }
        place = batch.next();
        var _ = bell.await(LOOK);
      }
    } catch (InterruptedException | RuntimeException e) {
      // The run is over, or its log is closed. Without this watch, a signal can still stop the run.
    }
  }

  /**
   * Records the end of the run and its result.
   *
   * @param outcome {@code complete} or {@code failed}
   */
  public void end(String outcome, Json result) {
    synchronized (guard) {
      if (ended) {
        return;
      }
      ended = true;
    }
    sessions
        .values()
        .forEach(session -> context.team().sessions().leave(session, "its run is over"));
    boolean complete = outcome.equals(COMPLETE);
    transcript.ended(complete);
    // Posted first, because nobody resumes a complete run to post it later.
    if (complete) {
      journal.complete(budget.asks() + " asks by this process; " + folder.path());
    } else {
      journal.error(Fields.of(result).text("error", "the run ended as " + outcome));
    }
    say(
        RunTypes.END,
        Json.object()
            .put("outcome", outcome)
            .put("millis", budget.elapsed().toMillis())
            .put("result", result)
            .build());
    folder.log("the run is over: " + outcome);
  }

  /** Releases the run. If it has not ended, it can be resumed afterwards. */
  @Override
  public void close() {
    closed = true;
    bell.close(); // not an interrupt: one that hits a read closes the log's file for all threads
    folder.close();
  }
}
