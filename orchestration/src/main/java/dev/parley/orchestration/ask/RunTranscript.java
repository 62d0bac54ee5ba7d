package dev.parley.orchestration.ask;

import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.CallMethod;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes prompts and answers into the folder of a run, in two layouts: one for runs of many agents,
 * one for runs of a single agent.
 *
 * <p>For a single agent, {@code cwd.txt} names the agent and its command. For several, it has their
 * names and the kind of the run.
 */
final class RunTranscript {
  /**
   * How many characters of a prompt or an output {@code run.log} repeats; other files have all of
   * it.
   */
  private static final int MOST_IN_LOG = 1 << 16;

  private static final String PROMPT = "prompt.md";
  private static final String OUT = "agent-stdout.txt";
  private static final String ERR = "agent-stderr.txt";

  private final RunFolder folder;
  private final String kind;
  private final Set<String> agents = new LinkedHashSet<>();
  private int failure;

  RunTranscript(RunFolder folder, String kind) {
    this.folder = folder;
    this.kind = kind;
  }

  /** Registers an agent that was asked before the run was resumed. */
  void knows(String agent) {
    agents.add(agent);
  }

  synchronized void asked(int number, Ask ask, AgentDefinition agent) {
    String file =
        String.format(
            Locale.ROOT,
            "prompts/%02d-%s-%s.md",
            number,
            ask.stage().replaceAll("[^A-Za-z0-9_-]", "-"),
            agent.name());
    folder.write(file, ask.prompt());
    folder.writeIfAbsent(PROMPT, ask.prompt());
    folder.log("asked " + agent.name() + " (" + ask.stage() + "), " + file);
    quote(ask.prompt());
    if (agents.add(agent.name())) {
      describe(ask, agent);
    }
  }

  private void describe(Ask ask, AgentDefinition agent) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("RUN_ID", folder.id());
    values.put("CWD", ask.folder().toString());
    values.put("AGENT", String.join(",", agents));
    values.put("CMD", agents.size() == 1 ? command(agent.way()) : "parley " + kind);
    values.put("PROMPT", folder.path().resolve(PROMPT).toString());
    values.put("STDOUT", folder.path().resolve(OUT).toString());
    values.put("STDERR", folder.path().resolve(ERR).toString());
    values.put("PID", Long.toString(ProcessHandle.current().pid()));
    folder.describe(values);
  }

  private static String command(CallMethod way) {
    return switch (way) {
      case CallMethod.Command command -> String.join(" ", command.words());
      case CallMethod.Api api -> "POST " + api.base() + " " + api.model();
    };
  }

  /** Records a program's raw output. */
  synchronized void printed(String out, String err) {
    folder.append(OUT, out);
    folder.append(ERR, err);
  }

  synchronized void answered(int number, Ask ask, Answer answer) {
    String status = answer.status().name().toLowerCase(Locale.ROOT);
    String error = answer.error().isEmpty() ? "" : ": " + RunFolder.oneLine(answer.error());
    folder.append(
        "agent-logs/" + answer.agent() + ".txt",
        "=== ask " + number + " (" + ask.stage() + "): " + status + error + " ===\n");
    folder.append("agent-logs/" + answer.agent() + ".txt", answer.text());
    folder.append("agent-logs/" + answer.agent() + ".txt", "\n");
    folder.log(answer.agent() + " (" + ask.stage() + "): " + status + error);
    quote(answer.text());
    failure = answer.ok() ? failure : Math.max(1, answer.exitCode());
  }

  /** Indents foreign text, so that none of its lines looks like one of ours. */
  private void quote(String text) {
    boolean cut = text.length() > MOST_IN_LOG;
    String shown = cut ? text.substring(0, MOST_IN_LOG) : text;
    if (!shown.isEmpty()) {
      StringBuilder quoted = new StringBuilder();
      shown.lines().forEach(line -> quoted.append("  | ").append(line).append('\n'));
      folder.append("run.log", quoted + (cut ? "  … (cut here)\n" : ""));
    }
  }

  /** Records the end of the run. A run of one agent has that agent's exit code. */
  synchronized void ended(boolean complete) {
    int code = complete ? 0 : agents.size() == 1 ? Math.max(1, failure) : 1;
    folder.append("cwd.txt", "EXIT_CODE=" + code + "\n");
  }
}
