package dev.parley.cli.help;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Commands;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import java.util.List;

/** Prints what the descriptions of commands say, for people. */
record Page(Output out) {
  private static final int WIDTH = 80;
  private static final String INDENT = "  ";
  private static final List<String> EXIT_CODES =
      List.of(
          "0  ok",
          "1  failed",
          "2  wrong usage; nothing was done",
          "3  refused by the state of the bus",
          "4  timed out");

  /** All commands, by group. */
  void overview(Commands commands, boolean all) {
    out.line("Parley: a message bus for agents that work side by side.");
    heading("Usage");
    out.line(INDENT + "parley <command> [options]");
    for (Group group : Group.values()) {
      boolean shown = group != Group.HIDDEN && (all || group != Group.PLUMBING);
      List<Description> descriptions = shown ? commands.in(group) : List.of();
      if (!descriptions.isEmpty()) {
        heading(group.title());
        Table table = new Table();
        descriptions.forEach(command -> table.row(command.name(), command.summary()));
        indented(table);
      }
    }
    options("Common options", CommonOptions.ALL);
    heading("More");
    Table more = new Table();
    more.row("parley <command> --help", "what a command does, with examples");
    if (!all) {
      more.row("parley help --all", "also the single steps that scripts are made of");
    }
    indented(more);
  }

  /** One command. */
  void command(Description command) {
    String summary = command.summary();
    out.line(Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".");
    heading("Usage");
    out.line(INDENT + command.usage());
    out.line("");
    wrap(command.details());
    if (!command.parameters().isEmpty()) {
      heading("Arguments");
      Table table = new Table();
      for (Parameter parameter : command.parameters()) {
        table.row(parameter.usage(), parameter.help());
      }
      indented(table);
    }
    if (!command.options().isEmpty()) {
      options("Options", command.options());
    }
    options("Common options", CommonOptions.ALL);
    heading("Examples");
    command.examples().forEach(example -> out.line(INDENT + example));
    heading("Exit codes");
    EXIT_CODES.forEach(code -> out.line(INDENT + code));
  }

  private void options(String title, List<Option> options) {
    heading(title);
    Table table = new Table();
    for (Option option : options) {
      String letter = option.letter();
      table.row(
          (letter == null ? "    " : letter + ", ") + option.usage(),
          option.help() + (option.required() ? " (required)" : ""));
    }
    indented(table);
  }

  private void heading(String title) {
    out.line("");
    out.line(out.styled(Style.BOLD, title));
  }

  private void indented(Table table) {
    table.lines().forEach(line -> out.line(INDENT + line));
  }

  private void wrap(String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        out.line(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    out.line(line.toString());
  }
}
