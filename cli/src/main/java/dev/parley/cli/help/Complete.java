package dev.parley.cli.help;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Printable;
import java.util.List;

/** Tells a shell what can come next; never reports an error. */
public final class Complete implements Command {
  public static final String NAME = "complete";

  private static final Parameter WORDS =
      Parameter.optional("word", "the words after parley, up to the cursor").repeated();

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.HIDDEN,
        "list the completions of a command line",
        "Scripts that parley completion prints ask this: parley complete -- <word>…. A line is a"
            + " word, a tab and what it means; :files and :folders stand for those.",
        List.of(WORDS),
        List.of(),
        List.of("parley complete -- task cl"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) {
    PartialCommandLine line =
        PartialCommandLine.of(invocation.commands(), invocation.arguments().words(WORDS));
    for (PartialCommandLine.Candidate candidate : line.candidates(new BusCompletions(invocation))) {
      // A name is not offered if the shell would have to show it differently.
      String word = candidate.word();
      if (word.equals(Printable.text(word)) && word.indexOf(' ') < 0) {
        invocation.out().line(word + (word.startsWith(":") ? "" : "\t" + candidate.meaning()));
      }
    }
    return ExitCode.OK;
  }
}
