package dev.parley.orchestration.consensus;

import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.ParallelTasks;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Asks several agents, lets them debate, and has a chairman sum up.
 *
 * <pre>
 * analysis (all at once) ──▶ debate, 0 to 2 rounds (all at once) ──▶ synthesis (one, else the next)
 * </pre>
 *
 * <p>Everything that prompts depend on comes from the plan, from answers, or from the plan's seed.
 * So a resumed run comes to the same result.
 */
public final class Consensus {
  /** The kind of run that it is. */
  public static final String KIND = "consensus";

  private final Run run;
  private final ConsensusPlan plan;
  private final BlindLabels labels;
  private final ConsensusPrompts prompts;
  private final Findings findings = new Findings();
  private final Set<String> published = new HashSet<>();

  private Consensus(Run run, ConsensusPlan plan) {
    this.run = run;
    this.plan = plan;
    this.labels = new BlindLabels(plan.agents(), plan.named(), plan.seed());
    this.prompts = new ConsensusPrompts(plan, labels);
  }

  /**
   * A prompt that would be given.
   *
   * @param round of the debate; 0 outside it
   * @param agents the agents that would get it; for the synthesis, tried in order until one answers
   */
  public record PlannedPrompt(String stage, int round, List<String> agents, String prompt) {}

  /**
   * All prompts, for a dry run. Parts that depend on answers are placeholders in parentheses; what
   * an answer may add, such as findings, is left out.
   */
  public static List<PlannedPrompt> plannedPrompts(ConsensusPlan plan) {
    return new ConsensusPrompts(plan, new BlindLabels(plan.agents(), plan.named(), plan.seed()))
        .planned();
  }

  /**
   * Does everything except ending the run.
   *
   * @throws ParleyException FAILED if no agent gave an analysis; REFUSED if a limit is reached
   */
  public static ConsensusResult hold(Run run, ConsensusPlan plan) throws InterruptedException {
    return new Consensus(run, plan).hold();
  }

  private ConsensusResult hold() throws InterruptedException {
    var _ = run.note("draw", labels.toJson());
    run.folder().write("prompt.md", prompts.analysis());
    List<Answer> analyses =
        askAll("analysis", plan.analysisTime(), prompts::analysis, plan.agents());
    Map<String, String> texts = new LinkedHashMap<>();
    for (Answer answer : analyses) {
      if (answer.ok()) {
        texts.put(answer.agent(), answer.text());
        if (plan.mode() == Mode.CODE_REVIEW) {
          tellLeftOut(answer.agent(), findings.analysis(answer.agent(), answer.text()));
        }
      }
    }
    run.tell("analysis: " + texts.size() + " of " + analyses.size() + " agents answered");
    checkStopped();
    if (texts.isEmpty()) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "no-analysis",
          "No agent gave an analysis (0 of " + analyses.size() + "): " + errors(analyses) + ".",
          "parley agents test says what works; parley runs show " + run.id() + " has the details.");
    }
    int before = findings.all().size();
    List<ConsensusResult.Rebuttal> rebuttals = debate(texts);
    List<ConsensusPrompts.Said> said = said(rebuttals);
    checkStopped();
    List<Answer> chairmen = new ArrayList<>();
    Positions positions = Positions.of(texts, rebuttals);
    String prompt = prompts.chairman(texts, said, findings.all(), positions);
    Answer synthesis = synthesis(prompt, chairmen);
    checkStopped();
    return new ConsensusResult(
        run.id(),
        plan,
        labels.toJson(),
        analyses,
        rebuttals,
        synthesis,
        chairmen,
        findings.all(),
        effect(positions, rebuttals, synthesis, findings.all().size() - before));
  }

  private void tellLeftOut(String agent, int findings) {
    if (findings > 0) {
      run.tell(
          agent
              + " names more than "
              + Findings.MOST_OF_ONE
              + " findings; "
              + findings
              + " of them stand only in its text");
    }
  }

  /** A stopped run has no result until it is resumed. */
  private void checkStopped() {
    if (run.isStopped()) {
      throw ParleyException.refused(
          "run-stopped",
          "The run " + run.id() + " was stopped.",
          "parley runs resume " + run.id() + " continues it.");
    }
  }

  private static String errors(List<Answer> answers) {
    List<String> errors = new ArrayList<>();
    answers.forEach(answer -> errors.add(answer.agent() + " " + answer.error()));
    return String.join("; ", errors);
  }

  private interface Prompt {
    String text();
  }

  private List<Answer> askAll(String stage, Duration time, Prompt prompt, List<String> agents)
      throws InterruptedException {
    String text = prompt.text();
    List<Callable<Answer>> asks = new ArrayList<>();
    agents.forEach(agent -> asks.add(() -> ask(agent, stage, text, time)));
    return ParallelTasks.all(asks);
  }

  private Answer ask(String agent, String stage, String prompt, Duration time)
      throws InterruptedException {
    return run.ask(new Ask(agent, stage, prompt, plan.folder(), Map.of(), time));
  }

  private List<ConsensusResult.Rebuttal> debate(Map<String, String> texts)
      throws InterruptedException {
    List<ConsensusResult.Rebuttal> rebuttals = new ArrayList<>();
    if (plan.rounds() == 0) {
      return rebuttals;
    }
    if (texts.size() < 2) {
      run.tell("no debate: it takes two analyses, and there is one");
      return rebuttals;
    }
    Topic topic = new Topic("consensus." + run.id() + ".debate");
    WholeTopic.forEach(
        run.context().log(), topic, envelope -> published.add(String.valueOf(envelope.key())));
    Map<String, String> theses = new LinkedHashMap<>();
    texts.forEach((agent, text) -> theses.put(agent, MarkerLines.thesis(text)));
    theses.forEach((agent, thesis) ->
        publish(topic, agent, ConsensusTypes.FINDING, "thesis", Json.object().put("text", thesis)));
    for (int round = 1; round <= plan.rounds(); round++) {
      rebuttals.addAll(round(round, topic, theses, said(rebuttals)));
      checkStopped();
    }
    return rebuttals;
  }

  private List<ConsensusResult.Rebuttal> round(
      int round, Topic topic, Map<String, String> theses, List<ConsensusPrompts.Said> earlier)
      throws InterruptedException {
    List<Callable<Answer>> asks = new ArrayList<>();
    List<ReviewFinding> sofar = findings.all();
    for (String agent : theses.keySet()) {
      String prompt = prompts.debate(agent, round, theses, earlier, sofar);
      asks.add(() -> ask(agent, "debate", prompt, plan.debateTime()));
    }
    List<ConsensusResult.Rebuttal> rebuttals = new ArrayList<>();
    for (Answer answer : ParallelTasks.all(asks)) {
      rebuttals.add(new ConsensusResult.Rebuttal(round, answer));
      if (answer.status() == Answer.Status.STOPPED) {
        continue; // asked again when the run is resumed
      }
      Json.ObjectBuilder payload = Json.object().put("round", round).put("ok", answer.ok());
      payload.put(answer.ok() ? "text" : "error", answer.ok() ? answer.text() : answer.error());
      publish(topic, answer.agent(), ConsensusTypes.REBUTTAL, "round-" + round, payload);
      if (answer.ok() && plan.mode() == Mode.CODE_REVIEW) {
        tellLeftOut(answer.agent(), findings.rebuttal(answer.agent(), answer.text(), round));
      }
    }
    return rebuttals;
  }

  private static List<ConsensusPrompts.Said> said(List<ConsensusResult.Rebuttal> rebuttals) {
    List<ConsensusPrompts.Said> said = new ArrayList<>();
    for (ConsensusResult.Rebuttal one : rebuttals) {
      Answer answer = one.answer();
      String text = answer.ok() ? answer.text() : "(no rebuttal: " + answer.error() + ")";
      said.add(new ConsensusPrompts.Said(answer.agent(), one.round(), text));
    }
    return said;
  }

  /** Publishes a message in the debate's topic, once, however often the run is resumed. */
  private void publish(
      Topic topic, String agent, String type, String what, Json.ObjectBuilder payload) {
    String key = agent + "/" + what;
    if (published.add(key)) {
      Message message =
          Message.builder(agent, type)
              .payload(shortened(payload.build()))
              .key(key)
              .run(run.id())
              .build();
      var _ = run.context().log().append(topic, message);
    }
  }

  /** An answer that is too long for a line is complete in the run's contents. */
  private Json shortened(Json payload) {
    int most = run.context().log().limits().line() / 2;
    if (payload.length() <= most) {
      return payload;
    }
    Json text = payload.fields().get("text");
    String whole = text == null ? "" : String.valueOf(text.text());
    Json round = payload.fields().get("round");
    return Json.object()
        .put("round", round == null ? Json.of(0) : round)
        .put("ok", true)
        .put("text", whole.substring(0, Math.min(whole.length(), most / 8)))
        .put("cut", true)
        .build();
  }

  private @Nullable Answer synthesis(String prompt, List<Answer> tried)
      throws InterruptedException {
    for (String agent : plan.agents()) {
      Answer answer = ask(agent, "synthesis", prompt, plan.synthesisTime());
      tried.add(answer);
      if (answer.ok()) {
        return answer;
      }
      run.tell("chairman " + agent + ": " + answer.error());
      checkStopped();
    }
    run.tell("no synthesis: no agent could be the chairman");
    return null;
  }

  private DebateEffect effect(
      Positions positions,
      List<ConsensusResult.Rebuttal> rebuttals,
      @Nullable Answer synthesis,
      int added) {
    Usage usage = Usage.UNKNOWN;
    Map<Integer, Long> longest = new LinkedHashMap<>();
    for (ConsensusResult.Rebuttal one : rebuttals) {
      usage = usage.plus(one.answer().usage());
      longest.merge(one.round(), one.answer().duration().toMillis(), Math::max);
    }
    long millis = 0;
    for (long each : longest.values()) {
      millis += each;
    }
    String conclusion =
        plan.mode() == Mode.CODE_REVIEW
            ? ReviewVerdict.of(findings.all()).words()
            : synthesis == null ? null : MarkerLines.last(synthesis.text(), "POSITION");
    int withdrawn = (int) findings.all().stream().filter(ReviewFinding::withdrawn).count();
    return new DebateEffect(
        positions, conclusion, added, withdrawn, rebuttals.size(), usage, millis);
  }
}
