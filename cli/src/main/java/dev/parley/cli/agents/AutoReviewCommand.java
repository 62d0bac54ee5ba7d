package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Reviews the changes of a branch. */
public final class AutoReviewCommand implements Command {
  private static final Parameter WORDS =
      Parameter.optional("description", "what the change is meant to do (what its commits say)")
          .repeated();

  @Override
  public Description description() {
    List<Option> options =
        Stream.of(
                Stream.of(ConsensusCommand.BASE, ConsensusCommand.HEAD, ConsensusCommand.PLAN),
                ConsensusOptions.ALL.stream(),
                RunOptions.LIMITS.stream())
            .flatMap(each -> each)
            .toList();
    return new Description(
        "auto-review",
        Group.RUN,
        "let several agents review this branch",
        "A consensus in mode code-review about what HEAD has changed since it left origin/main,"
            + " main, origin/master or master, the first of these that exists. An empty change is"
            + " refused; of a very long one whole files are shown, and the rest is named.",
        List.of(WORDS),
        options,
        List.of(
            "parley auto-review",
            "parley auto-review Retry uploads that were cut",
            "parley auto-review Retry uploads --debate --fail-on important"));
  }

  @Override
  public boolean runsAgents(Arguments arguments) {
    return !arguments.has(ConsensusOptions.DRY_RUN);
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    return ConsensusCommand.review(
        invocation,
        RunSetup.of(invocation),
        arguments.value(ConsensusCommand.BASE),
        arguments.value(ConsensusCommand.HEAD, "HEAD"),
        String.join(" ", arguments.words(WORDS)));
  }
}
