package dev.parley.cli.agents;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunFolder;
import dev.parley.orchestration.consensus.Consensus;
import dev.parley.orchestration.consensus.ConsensusPlan;
import dev.parley.orchestration.consensus.ConsensusReport;
import dev.parley.orchestration.consensus.ConsensusResult;
import dev.parley.orchestration.consensus.ReviewFinding;
import dev.parley.orchestration.consensus.Severity;
import dev.parley.text.Explanation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Holds or resumes a consensus, and prints its result. */
final class ConsensusRun {
  private ConsensusRun() {}

  static int begin(RunSetup setup, ConsensusPlan plan) throws InterruptedException {
    if (setup.invocation().arguments().has(ConsensusOptions.DRY_RUN)) {
      return dryRun(setup, plan);
    }
    try (RunProgress progress = RunProgress.of(setup.invocation())) {
      RunContext context = setup.context(progress);
      String subject = context.contents().store(plan.subject().getBytes(StandardCharsets.UTF_8));
      Json parameters = plan.parameters(subject);
      return hold(
          setup, Run.begin(context, Consensus.KIND, parameters, setup.limits()), plan, progress);
    }
  }

  static int go(RunSetup setup, Run run, Json parameters, RunProgress progress)
      throws InterruptedException {
    String subject = AskCommand.text(run.context().contents(), ConsensusPlan.subject(parameters));
    return hold(setup, run, ConsensusPlan.of(parameters, subject), progress);
  }

  private static int hold(RunSetup setup, Run begun, ConsensusPlan plan, RunProgress progress)
      throws InterruptedException {
    return RunSetup.attend(
        setup,
        begun,
        run -> {
          ConsensusResult result;
          try {
            result = Consensus.hold(run, plan);
          } catch (ParleyException e) {
            if (!run.isStopped() && e.kind() == ParleyException.Kind.FAILED) {
              run.end("failed", Json.object().put("error", Explanation.messageOf(e)).build());
            }
            throw e;
          }
          String report = ConsensusReport.markdown(result);
          run.folder().write(RunFolder.REVIEW_PACKET, report);
          if (result.isReview()) {
            run.review(ConsensusReport.review(result), ConsensusReport.files(result));
          }
          run.end("complete", result.summary());
          progress.close();
          print(setup.invocation(), result, report);
          return exitCode(setup.invocation(), result);
        });
  }

  private static int exitCode(Invocation invocation, ConsensusResult result) {
    if (result.synthesis() == null) {
      return ExitCode.INCOMPLETE;
    }
    String failOn = invocation.arguments().value(ConsensusOptions.FAIL_ON);
    if (failOn != null) {
      Severity limit = Severity.valueOf(failOn.toUpperCase(Locale.ROOT));
      for (ReviewFinding finding : result.findings()) {
        if (finding.counts() && finding.severity().reaches(limit)) {
          return ExitCode.FOUND;
        }
      }
    }
    return ExitCode.OK;
  }

  private static void print(Invocation invocation, ConsensusResult result, String report) {
    Output out = invocation.out();
    String format = invocation.arguments().value(ConsensusOptions.FORMAT, "text");
    if (out.isJson() || format.equals("json")) {
      out.line(result.toJson());
      return;
    }
    switch (format) {
      case "markdown" -> AnswerText.print(out, report);
      case "sarif" -> out.line(ConsensusReport.sarif(result));
      default -> text(invocation, result);
    }
  }

  /** Prints the chairman's text and a review's findings on stdout, everything else on stderr. */
  private static void text(Invocation invocation, ConsensusResult result) {
    Output out = invocation.out();
    Answer synthesis = result.synthesis();
    if (synthesis != null) {
      AnswerText.print(out, synthesis.text());
    } else {
      for (Answer answer : result.analyses()) {
        if (answer.ok()) {
          out.line("--- analysis of " + answer.agent());
          AnswerText.print(out, answer.text());
        }
      }
    }
    if (result.isReview()) {
      out.line("");
      out.line("Findings");
      ConsensusReport.findings(result).forEach(line -> out.line("  " + Printable.text(line)));
      out.line("Verdict: " + result.verdict().words());
    }
    out.flush();
    if (result.isDegraded()) {
      invocation
          .notices()
          .say(
              "this is not a full result: "
                  + result.answered()
                  + " of "
                  + result.analyses().size()
                  + " agents answered"
                  + (synthesis == null ? ", and nobody summed up" : "")
                  + ".");
    }
    ConsensusReport.effect(result.effect())
        .forEach(line -> invocation.notices().line(Printable.text(line)));
    invocation.notices().line("parley runs show " + result.session() + " has the details.");
  }

  private static int dryRun(RunSetup setup, ConsensusPlan plan) {
    Output out = setup.invocation().out();
    List<Consensus.PlannedPrompt> prompts = Consensus.plannedPrompts(plan);
    List<String> agents = plan.agents();
    int most = Math.min(plan.mostAsks(), setup.limits().asks());
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("mode", plan.mode().word())
              .put("agents", Json.ofStrings(agents))
              .put("debateRounds", plan.rounds())
              .put("mostAsks", most)
              .put("mostCost", Json.parse(AnswerText.dollars(setup.limits().costMicros())))
              .put("prompts", Json.of(prompts.stream().map(ConsensusRun::json).toList()))
              .build());
      return ExitCode.OK;
    }
    out.line("Nobody is asked. These would be: " + String.join(", ", agents));
    out.line("Mode: " + plan.mode().word());
    out.line("Debate: " + (plan.rounds() == 0 ? "none" : plan.rounds() + " round(s)"));
    out.line(
        "At most "
            + most
            + " asks: "
            + agents.size()
            + " analyses, "
            + agents.size() * plan.rounds()
            + " rebuttals, and one synthesis, which the next agent makes if one fails.");
    out.line(
        "It stops at $"
            + AnswerText.dollars(setup.limits().costMicros())
            + " if agents report their cost.");
    for (Consensus.PlannedPrompt planned : prompts) {
      out.line("");
      out.line(
          "--- "
              + planned.stage()
              + (planned.round() == 0 ? "" : ", round " + planned.round())
              + ", for "
              + String.join(
                  planned.stage().equals("synthesis") ? ", else " : ", ", planned.agents()));
      AnswerText.print(out, planned.prompt());
    }
    return ExitCode.OK;
  }

  private static Json json(Consensus.PlannedPrompt planned) {
    return Json.object()
        .put("stage", planned.stage())
        .put("round", planned.round())
        .put("agents", Json.ofStrings(planned.agents()))
        .put("prompt", planned.prompt())
        .build();
  }
}
