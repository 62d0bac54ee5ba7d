package dev.parley.cli.setup;

import dev.parley.WorkingTree;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.help.AgentPrimer;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code parley setup agents-md}: writes the primer into the files that agents read first. */
final class AgentsMd {
  private static final List<String> USUAL = List.of("AGENTS.md", "CLAUDE.md");
  private static final Parameter FILE =
      Parameter.optional("file", "which file (AGENTS.md and CLAUDE.md at the root of the project)");
  private static final Option REMOVE = Option.flag("--remove", "remove the primer");

  private AgentsMd() {}

  static Description description() {
    return Description.sub(
            "agents-md",
            "write the primer for agents into AGENTS.md and CLAUDE.md",
            List.of(FILE),
            List.of(REMOVE))
        .saying(
            "Writes what parley help agent prints between two comments, at the end of the file or"
                + " where it is already; the rest of the file stays as it is. Of AGENTS.md and"
                + " CLAUDE.md those that are there are changed; if there is none, AGENTS.md is"
                + " made. Run it again after an update of Parley.");
  }

  static int run(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    boolean remove = arguments.has(REMOVE);
    String named = arguments.word(FILE);
    Path folder = invocation.shell().folder();
    Path root =
        named == null ? Path.of(WorkingTree.of(folder, folder.resolve(".parley")).name()) : folder;
    for (Path file : files(invocation, root, named)) {
      MarkedSection section = MarkedSection.in(file);
      if (remove) {
        answerRemoved(invocation.out(), section.remove(), file);
      } else {
        answer(invocation.out(), section.write(AgentPrimer.TEXT), file);
      }
    }
    return ExitCode.OK;
  }

  /** The files, without a link to another one of them. */
  private static Set<Path> files(Invocation invocation, Path root, @Nullable String named)
      throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    if (named != null) {
      Path file = invocation.path("file", named);
      files.add(Files.exists(file) ? file.toRealPath() : file);
      return files;
    }
    for (String name : USUAL) {
      Path file = root.resolve(name);
      if (Files.exists(file)) {
        files.add(file.toRealPath());
      }
    }
    if (files.isEmpty()) {
      files.add(root.resolve(USUAL.getFirst()));
    }
    return files;
  }

  private static void answer(Output out, MarkedSection.Change change, Path file) {
    String state = change.word();
    if (out.isJson()) {
      out.line(Json.object().put("state", state).put("file", file.toString()).build());
    } else {
      out.line(state + " " + Printable.text(file.toString()));
    }
  }

  private static void answerRemoved(Output out, MarkedSection.Change change, Path file) {
    boolean isThere = Files.exists(file);
    if (out.isJson()) {
      answer(out, change, file);
    } else if (change == MarkedSection.Change.UNCHANGED) {
      String why = isThere ? "has no primer" : "does not exist";
      out.line("unchanged: " + Printable.text(file.toString()) + " " + why);
    } else {
      String what = isThere ? "the primer from " : "";
      out.line("removed " + what + Printable.text(file.toString()));
    }
  }
}
