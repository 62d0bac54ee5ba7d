package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.json.Json;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.Agents;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.agent.Programs;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.ParallelTasks;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Lists the agents that can be asked, and tests them. */
public final class AgentsCommand implements Command {
  private static final Parameter ACTION =
      Parameter.optional("action", "what to do; without one, agents are listed")
          .choices("list", "test");
  private static final Parameter NAME =
      Parameter.optional("name", "test: only this agent").repeated();
  private static final String QUESTION =
      "This is a test of the connection. Answer with the one word: ready";

  @Override
  public Description description() {
    return new Description(
        "agents",
        Group.RUN,
        "list the agents that can be asked",
        "An agent that can be asked is a program, or a model behind an API. claude, gemini, codex,"
            + " opencode and ollama are found on the PATH, or by the key of their API; parley.toml"
            + " adds others and overrides these: the one in $XDG_CONFIG_HOME/parley"
            + " (~/.config/parley) and, once you have accepted it with parley trust, the one at the"
            + " root of the repository. test asks each for one word.",
        List.of(ACTION, NAME),
        RunOptions.LIMITS,
        List.of("parley agents", "parley agents test", "parley agents test claude --timeout 30s"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    RunSetup setup = RunSetup.of(invocation);
    Agents agents = setup.settings().agents();
    if ("test".equals(invocation.arguments().word(ACTION))) {
      return test(invocation, setup, chosen(invocation.arguments(), agents));
    }
    list(invocation.out(), agents, setup.settings());
    return ExitCode.OK;
  }

  private static List<AgentDefinition> chosen(Arguments arguments, Agents agents) {
    List<String> names = arguments.words(NAME);
    return names.isEmpty() ? agents.all() : names.stream().map(agents::named).toList();
  }

  private static void list(Output out, Agents agents, Settings settings) {
    if (out.isJson()) {
      agents.all().forEach(agent -> out.line(json(agent, settings)));
      return;
    }
    if (agents.all().isEmpty()) {
      out.line(
          "No agent was found. Install claude, codex or gemini, set the key of an API such as");
      out.line("ANTHROPIC_API_KEY, or describe a program in " + userFile(settings) + ":");
      out.line("");
      out.line("  [agents.reviewer]");
      out.line("  command = [\"my-agent\", \"--quiet\"]");
      return;
    }
    Table table = new Table();
    table.row("AGENT", "WAY", "KEY", "FROM");
    for (AgentDefinition agent : agents.all()) {
      String trouble = trouble(agent, settings);
      table.row(
          agent.name(),
          Printable.text(way(agent.way()) + (trouble == null ? "" : " (" + trouble + ")")),
          key(agent, settings),
          Printable.text(agent.source()));
    }
    table.print(out);
  }

  private static String userFile(Settings settings) {
    Path file = Settings.userFile(settings.environment());
    return file == null ? "parley.toml" : Printable.text(file.toString());
  }

  private static String way(CallMethod way) {
    return switch (way) {
      case CallMethod.Command command -> String.join(" ", command.words());
      case CallMethod.Api api ->
          api.provider().name().toLowerCase(Locale.ROOT)
              + " "
              + api.model()
              + " at "
              + api.base().getHost();
    };
  }

  /** The name of the key variable that is set, never its value. */
  private static String key(AgentDefinition agent, Settings settings) {
    for (String key : agent.keys()) {
      if (settings.variable(key) != null) {
        return key;
      }
    }
    return "-";
  }

  /** Why an agent can't be asked; null if no reason is known. */
  private static @Nullable String trouble(AgentDefinition agent, Settings settings) {
    if (agent.way() instanceof CallMethod.Command command) {
      String program = command.words().getFirst();
      boolean found =
          program.contains("/") || Programs.onPath(program, settings.environment()) != null;
      return found ? null : "not on the PATH";
    }
    boolean keyed = agent.keys().isEmpty() || !key(agent, settings).equals("-");
    return keyed ? null : "no key: set " + String.join(" or ", agent.keys());
  }

  private static Json json(AgentDefinition agent, Settings settings) {
    Json.ObjectBuilder fields = Json.object().put("agent", agent.name());
    switch (agent.way()) {
      case CallMethod.Command command -> fields.put("command", Json.ofStrings(command.words()));
      case CallMethod.Api api ->
          fields
              .put("api", api.provider().name().toLowerCase(Locale.ROOT))
              .put("model", api.model())
              .put("baseUrl", api.base().toString());
    }
    String trouble = trouble(agent, settings);
    return fields
        .put("keys", Json.ofStrings(agent.keys()))
        .put("role", agent.role())
        .put("from", agent.source())
        .put("trouble", trouble)
        .build();
  }

  private static int test(Invocation invocation, RunSetup setup, List<AgentDefinition> chosen)
      throws InterruptedException {
    Output out = invocation.out();
    if (chosen.isEmpty()) {
      list(out, Agents.of(chosen), setup.settings());
      return ExitCode.FAILED;
    }
    Path folder = invocation.shell().folder();
    List<Answer> answers = new ArrayList<>();
    int exitCode;
    try (RunProgress progress = RunProgress.of(invocation)) {
      Run begun =
          Run.begin(
              setup.context(out.isJson() ? event -> {} : progress),
              "test",
              Json.EMPTY_OBJECT,
              setup.limits());
      exitCode =
          RunSetup.attend(
              setup,
              begun,
              run -> {
                List<Callable<Answer>> asks = new ArrayList<>();
                for (AgentDefinition agent : chosen) {
                  asks.add(() -> run.ask(Ask.of(agent.name(), "test", QUESTION, folder)));
                }
                answers.addAll(ParallelTasks.all(asks));
                run.end("complete", Json.EMPTY_OBJECT);
                return answers.stream().allMatch(Answer::ok) ? ExitCode.OK : ExitCode.FAILED;
              });
    }
    print(out, answers);
    return exitCode;
  }

  private static void print(Output out, List<Answer> answers) {
    if (out.isJson()) {
      answers.forEach(answer -> out.line(AnswerText.fields(answer).build()));
      return;
    }
    Table table = new Table();
    table.row("AGENT", "WORKS", "SPENT", "SAID");
    for (Answer answer : answers) {
      String said = answer.ok() ? answer.text() : answer.error();
      String line = said.lines().findFirst().orElse("");
      table.row(
          answer.agent(),
          answer.ok() ? "yes" : "no",
          AnswerText.spent(answer.duration().toMillis(), answer.usage()),
          Printable.text(line.length() > 80 ? line.substring(0, 79) + "…" : line));
    }
    table.print(out);
  }
}
