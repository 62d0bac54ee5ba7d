package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.prompt.QuotedWords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Asks one agent one question. */
public final class AskCommand implements Command {
  static final String KIND = "ask";

  private static final Parameter AGENT =
      Parameter.required("agent", "who is asked; parley agents lists them");
  private static final Parameter PROMPT =
      Parameter.optional(
          "prompt", "what it is asked; - reads stdin, which shows in no process list");
  private static final Option FILE =
      Option.value(
              "--file", "file", "a file that is put below the prompt; may be given several times")
          .repeated();
  private static final Option STAGE =
      Option.value(
          "--stage", "word", "what it is for, as the agent finds it in PARLEY_STAGE (ask)");

  @Override
  public Description description() {
    return new Description(
        KIND,
        Group.RUN,
        "ask an agent that runs as a program",
        "Starts the agent, or calls its model API, with the prompt, and prints the answer. Prompt,"
            + " answer, time, tokens and cost are kept on the bus, as a run of its own: parley runs"
            + " shows it. The agent and all that it has started are ended when its time is over.",
        List.of(AGENT, PROMPT),
        Stream.concat(Stream.of(FILE, STAGE), RunOptions.LIMITS.stream()).toList(),
        List.of(
            "parley ask claude \"Which of these tests is flaky?\" --file build.log",
            "git diff | parley ask codex - --timeout 2m --json"));
  }

  @Override
  public boolean runsAgents(Arguments arguments) {
    return true;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    RunSetup setup = RunSetup.of(invocation);
    String agent = setup.settings().agents().named(arguments.required(AGENT)).name();
    String prompt = prompt(invocation);
    Path folder = invocation.shell().folder();
    try (RunProgress progress = RunProgress.of(invocation)) {
      RunContext context = setup.context(progress);
      String digest = context.contents().store(prompt.getBytes(StandardCharsets.UTF_8));
      Json parameters =
          Json.object()
              .put("agent", agent)
              .put("stage", arguments.value(STAGE, KIND))
              .put("prompt", digest)
              .put("folder", folder.toString())
              .put("timeoutMillis", timeout(arguments, setup).toMillis())
              .build();
      return ask(setup, Run.begin(context, KIND, parameters, setup.limits()), parameters, progress);
    }
  }

  /** The given timeout; zero for the agent's own. */
  private static Duration timeout(Arguments arguments, RunSetup setup) {
    return arguments.has(RunOptions.TIMEOUT) ? setup.limits().ask() : Duration.ZERO;
  }

  private static String prompt(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    String typed = arguments.word(PROMPT);
    StringBuilder prompt =
        new StringBuilder(
            typed == null ? "" : Body.read(invocation, Limits.DEFAULT, typed).strip());
    for (String file : arguments.values(FILE)) {
      String text = Body.file(invocation, Limits.DEFAULT, FILE.name(), file);
      prompt.append(prompt.isEmpty() ? "" : "\n\n");
      prompt.append(typed == null ? text : QuotedWords.quote("the file " + label(file), text));
    }
    if (prompt.toString().isBlank()) {
      throw ParleyException.invalid(
          "missing-argument", "There is nothing to ask.", "Give a prompt, or --file <file>.");
    }
    return prompt.toString();
  }

  private static String label(String file) {
    return String.valueOf(Path.of(file).getFileName()).replaceAll("\\p{Cntrl}", "?");
  }

  /** Asks, or takes the recorded answer. */
  static int ask(RunSetup setup, Run run, Json parameters, RunProgress progress)
      throws InterruptedException {
    Fields fields = Fields.of(parameters);
    String prompt = text(run.context().contents(), fields.text("prompt", ""));
    return RunSetup.attend(
        setup,
        run,
        running -> {
          Ask ask =
              new Ask(
                  fields.text("agent", ""),
                  fields.text("stage", KIND),
                  prompt,
                  Path.of(fields.text("folder", "")),
                  Map.of(),
                  Duration.ofMillis(fields.number("timeoutMillis", 0)));
          Answer answer = running.ask(ask);
          boolean stopped = answer.status() == Answer.Status.STOPPED;
          if (!stopped) {
            running.end(answer.ok() ? "complete" : "failed", Json.EMPTY_OBJECT);
          }
          progress.close();
          return print(setup.invocation(), running, answer);
        });
  }

  private static int print(Invocation invocation, Run run, Answer answer) {
    if (invocation.out().isJson()) {
      invocation.out().line(AnswerText.fields(answer).put("run", run.id()).build());
      return AnswerText.exitCode(answer);
    }
    if (answer.ok()) {
      AnswerText.print(invocation.out(), answer.text());
      return ExitCode.OK;
    }
    Notices notices = invocation.notices();
    notices.say(Printable.text(answer.agent() + " gave no answer: " + answer.error() + "."));
    notices.line(
        "parley runs show " + run.id() + " shows what happened; parley agents test tries it out.");
    return AnswerText.exitCode(answer);
  }

  static String text(Contents contents, String digest) {
    return new String(contents.load(digest), StandardCharsets.UTF_8);
  }
}
