package dev.parley.cli.demo;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A demo that types commands and shows what they answer, in a new folder, with agents that are
 * shell scripts: no key, no model, and nothing of the user's is touched.
 *
 * @param name of the folder with its files among the resources
 * @param agents the names under which the script {@code agent.sh} can be asked
 * @param files what lies in the project beside that
 * @param commands what is typed, without the program's name
 */
record CommandShow(
    String name, List<String> agents, List<String> files, List<List<String>> commands) {
  private static final String SCRIPT = "agent.sh";

  /** A consensus with a debate, and a meeting of a board. */
  static final CommandShow DEBATE =
      new CommandShow(
          "debate",
          List.of("ann", "ben", "cid"),
          List.of("proposal.md"),
          List.of(
              List.of("init"),
              List.of(
                  "consensus",
                  "--mode",
                  "general-prompt",
                  "--prompt",
                  "Ten agents keep results. SQLite or PostgreSQL?",
                  "--agents",
                  "ann,ben,cid",
                  "--debate"),
              List.of("consensus", "stats"),
              List.of(
                  "board",
                  "meeting",
                  "EVALUATE_PLAN",
                  "--proposal",
                  "proposal.md",
                  "--electorate",
                  "CA,CSO,COO",
                  "--directors",
                  "CA=ann,CSO=ben,COO=cid",
                  "--rounds",
                  "1"),
              List.of("runs")));

  /** A plan in waves: a conflict, a gate that fails once, a task that is stuck. */
  static final CommandShow WAVES =
      new CommandShow(
          "waves",
          List.of("worker"),
          List.of("plan.md", "test.sh"),
          List.of(
              List.of("init"),
              List.of("waves", "--plan", "plan.md", "--agent", "worker", "--dry-run"),
              List.of(
                  "waves",
                  "--plan",
                  "plan.md",
                  "--agent",
                  "worker",
                  "--skip-spec",
                  "--stuck-threshold",
                  "1"),
              List.of("waves", "status")));

  /** A project: two tasks, of which one is sent back, and an improvement. */
  static final CommandShow MODERATE =
      new CommandShow(
          "moderate",
          List.of("worker", "reviewer"),
          List.of("requirements.md", "test.sh"),
          List.of(
              List.of("init"),
              List.of(
                  "moderate",
                  "--requirements",
                  "requirements.md",
                  "--agent",
                  "worker",
                  "--reviewer",
                  "reviewer",
                  "-y"),
              List.of("flow", "--project", "last"),
              List.of("moderate", "status")));

  static CommandShow named(String story) {
    return switch (story) {
      case "debate" -> DEBATE;
      case "moderate" -> MODERATE;
      default -> WAVES;
    };
  }

  void play(Invocation invocation) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("parley-demo-").toRealPath();
    Path project = prepare(folder);
    Output out = invocation.out();
    for (List<String> command : commands) {
      if (!out.isJson()) {
        out.line("");
        out.line(out.styled(Style.BOLD, "$ parley " + typed(command)));
      }
      out.flush();
      run(invocation, folder, project, command);
    }
    if (!out.isJson()) {
      out.line("");
      out.line("Everything is still there: " + Printable.text(project.toString()));
    }
  }

  private static String typed(List<String> words) {
    List<String> quoted = new ArrayList<>();
    for (String word : words) {
      quoted.add(word.indexOf(' ') < 0 ? word : '"' + word + '"');
    }
    return String.join(" ", quoted);
  }

  private Path prepare(Path folder) throws IOException, InterruptedException {
    Path project = Files.createDirectory(folder.resolve("project"));
    Path script = write(folder, SCRIPT);
    StringBuilder toml = new StringBuilder();
    for (String agent : agents) {
      toml.append("[agents.%s]\ncommand = [\"%s\"]\n".formatted(agent, script));
    }
    Path config = Files.createDirectories(folder.resolve("config/parley"));
    Files.writeString(config.resolve("parley.toml"), toml);
    DemoRepository repository = DemoRepository.create(project);
    repository.identify();
    for (String file : files) {
      var _ = write(project, file);
    }
    repository.commitAll("The project");
    repository.branch("demo");
    return project;
  }

  private Path write(Path folder, String file) throws IOException {
    Path target = folder.resolve(file);
    try (InputStream in = CommandShow.class.getResourceAsStream(name + "/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the file " + file + " of the demo is missing");
      }
      Files.copy(in, target);
    }
    if (file.endsWith(".sh")) {
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return target;
  }

  private static void run(Invocation invocation, Path folder, Path project, List<String> command)
      throws IOException, InterruptedException {
    List<String> words = JavaCommand.ofThisProgram();
    words.addAll(command);
    if (invocation.out().isJson()) {
      words.add("--json");
    }
    ProcessBuilder builder = new ProcessBuilder(words).directory(project.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(variable -> variable.startsWith("PARLEY_"));
    environment.put("PARLEY_STATE", folder.resolve("state").toString());
    environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    environment.put("PARLEY_AGENT", "human");
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    if (invocation.out().isTerminal()) {
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    }
    Process process = builder.start();
    Thread errors = copy(process.getErrorStream(), invocation.shell().err());
    Thread answers = copy(process.getInputStream(), invocation.shell().out());
    try {
      var _ = process.waitFor();
      errors.join();
      answers.join();
    } finally {
      process.destroy();
    }
  }

  private static Thread copy(InputStream from, OutputStream to) {
    return Thread.ofVirtual()
        .start(() -> {
          try {
            from.transferTo(to);
            to.flush();
          } catch (IOException e) {
            // The reader has gone; the command ends when it notices.
          }
        });
  }
}
