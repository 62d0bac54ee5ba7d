package dev.parley.cli.help;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Commands;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Wrap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Prints the descriptions of commands for people. Common options are only on the page of {@code
 * parley help}.
 */
final class HelpPage {
  private static final int WIDTH = 80;
  private static final String INDENT = "  ";

  /** A longer term gets a line of its own above its text. */
  private static final int WIDEST_TERM = 26;

  /** A term with its text. */
  private record Term(String word, String text) {
    Term(int number, String text) {
      this(Integer.toString(number), text);
    }
  }

  private static final List<Term> EXIT_CODES =
      List.of(
          new Term(ExitCode.OK, "done"),
          new Term(ExitCode.FAILED, "failed"),
          new Term(ExitCode.USAGE, "wrong usage; nothing was changed"),
          new Term(ExitCode.REFUSED, "refused because of the state of the bus, or not found"),
          new Term(ExitCode.TIMED_OUT, "timed out; nothing is lost, try again"),
          new Term(ExitCode.INCOMPLETE, "consensus: analyses, but no synthesis"),
          new Term(ExitCode.FOUND, "consensus: findings at or above --fail-on"),
          new Term(ExitCode.INTERRUPTED, "ended by Ctrl-C during a wait"));

  private final Output out;
  private final int width;

  HelpPage(Output out) {
    this.out = out;
    this.width = Math.min(WIDTH, out.width());
  }

  /** All commands, by group. */
  void overview(Commands commands, boolean all) {
    paragraph("Parley: a message bus for agents that work side by side.");
    heading("Usage");
    out.line(INDENT + "parley <command> [options]");
    for (Group group : Group.values()) {
      boolean shown = group != Group.HIDDEN && (all || group != Group.PLUMBING);
      List<Description> descriptions = shown ? commands.in(group) : List.of();
      if (!descriptions.isEmpty()) {
        heading(group.title());
        list(descriptions.stream().map(it -> new Term(it.name(), it.summary())).toList());
      }
    }
    heading("Options of every command");
    options(CommonOptions.ALL);
    heading("Exit codes");
    list(EXIT_CODES);
    heading("More");
    List<Term> more = new ArrayList<>();
    more.add(new Term("parley help <command>", "explain a command, with examples"));
    more.add(new Term("parley help agent", "a primer for language models, 700 tokens"));
    if (!all) {
      more.add(new Term("parley help --all", "list also the commands meant for scripts"));
    }
    list(more);
  }

  /** One command, or sub-command. */
  void command(Description command) {
    String summary = command.summary();
    paragraph(Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".");
    heading("Usage");
    continued(command.usage());
    if (!command.details().isEmpty()) {
      out.line("");
      paragraph(command.details());
    }
    if (!command.subcommands().isEmpty()) {
      heading("Sub-commands");
      list(
          command.subcommands().stream()
              .map(sub -> new Term(sub.word(), sub.summary() + standard(command, sub)))
              .toList());
    }
    if (!command.parameters().isEmpty()) {
      heading("Arguments");
      list(command.parameters().stream().map(HelpPage::term).toList());
    }
    if (!command.options().isEmpty()) {
      heading("Options");
      options(command.options());
    }
    if (!command.examples().isEmpty()) {
      heading("Examples");
      command.examples().forEach(this::continued);
    }
    out.line("");
    if (!command.subcommands().isEmpty()) {
      paragraph(
          "parley help "
              + command.name()
              + " <sub-command> explains a sub-command and its options.");
    }
    paragraph(
        "Also: "
            + CommonOptions.ALL.stream().map(Option::name).collect(Collectors.joining(", "))
            + "; parley help explains these, and the exit codes.");
  }

  private static String standard(Description command, Description sub) {
    return sub.word().equals(command.standard()) ? " (also without this word)" : "";
  }

  private static Term term(Parameter parameter) {
    return new Term(parameter.usage(), parameter.help());
  }

  private void options(List<Option> options) {
    boolean letters = options.stream().anyMatch(option -> option.letter() != null);
    String none = letters ? "    " : "";
    list(
        options.stream()
            .map(option ->
                new Term(
                    (option.letter() == null ? none : option.letter() + ", ") + option.usage(),
                    option.help() + (option.required() ? " (required)" : "")))
            .toList());
  }

  private void list(List<Term> terms) {
    int widest = Math.min(WIDEST_TERM, width / 2 - 4);
    int column = 0;
    for (Term term : terms) {
      int length = term.word().length();
      column = length <= widest ? Math.max(column, length) : column;
    }
    int at = INDENT.length() + (column == 0 ? 4 : column + 2);
    for (Term term : terms) {
      List<String> lines = Wrap.words(term.text(), width - at);
      if (term.word().length() <= column) {
        out.line(INDENT + Table.pad(term.word(), at - INDENT.length()) + lines.removeFirst());
      } else {
        Wrap.words(term.word(), width - INDENT.length()).forEach(line -> out.line(INDENT + line));
      }
      lines.forEach(line -> out.line(" ".repeat(at) + line));
    }
  }

  private void heading(String title) {
    out.line("");
    out.line(out.styled(Style.BOLD, title));
  }

  private void paragraph(String text) {
    Wrap.words(text, width).forEach(out::line);
  }

  /** A command line to copy; on a terminal it is wrapped with shell continuations. */
  private void continued(String command) {
    if (INDENT.length() + command.length() <= out.width()) {
      out.line(INDENT + command);
      return;
    }
    List<String> lines = Wrap.words(command, width - INDENT.length() - 2, width - 8);
    for (int i = 0; i < lines.size(); i++) {
      String indent = i == 0 ? INDENT : INDENT + "    ";
      out.line(indent + lines.get(i) + (i == lines.size() - 1 ? "" : " \\"));
    }
  }
}
