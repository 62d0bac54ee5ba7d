package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types what the documentation shows, as a new user would, and compares what it prints.
 *
 * <p>A block marked {@code console} is a session in bash that starts in the checkout with an empty
 * home: lines that begin with {@code $ } are typed, the lines below each are what it prints. A
 * block marked {@code sh} may hold only what other tests run.
 */
class DocumentationIT {
  private static final Path ROOT = Path.of(System.getProperty("parley.root"));
  private static final Set<String> RUN_ELSEWHERE =
      Set.of("./parley demo", "./check", "./check --long", "./parley-bench");
  private static final String MARK = "===end-of-command===";

  @TempDir private Path temporary;

  private record Typed(String command, List<String> output) {}

  @Test
  void everyCommandShownWorksAndPrintsWhatIsShown() throws Exception {
    int commands = 0;
    for (Path document : documents()) {
      List<Typed> session = sessions(document);
      commands += session.size();
      compare(document, session);
    }
    assertThat(commands).isGreaterThan(5);
  }

  @Test
  void nothingElseIsShownThatNoTestRuns() throws Exception {
    for (Path document : documents()) {
      for (String line : block(document, "sh")) {
        String command = line.replaceFirst(" *#.*", "").strip();
        if (!command.isEmpty()) {
          assertThat(RUN_ELSEWHERE).as(document.toString()).contains(command);
        }
      }
    }
  }

  @Test
  void everyLinkToAFileLeadsToOne() throws Exception {
    Pattern link = Pattern.compile("]\\(([^)#:]+)\\)");
    for (Path document : documents()) {
      Matcher found = link.matcher(Files.readString(document));
      while (found.find()) {
        assertThat(document.resolveSibling(found.group(1))).exists();
      }
    }
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
      }
    }
    assertThat(documents).contains(ROOT.resolve("README.md"));
    return documents;
  }

  /** The lines of all blocks of one kind. */
  private static List<String> block(Path document, String kind) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(document)) {
      if (line.startsWith("```")) {
        inside = !inside && line.equals("```" + kind);
      } else if (inside) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<Typed> sessions(Path document) throws IOException {
    List<Typed> session = new ArrayList<>();
    for (String line : block(document, "console")) {
      if (line.startsWith("$ ")) {
        session.add(new Typed(line.substring(2), new ArrayList<>()));
      } else {
        session.getLast().output.add(line);
      }
    }
    return session;
  }

  private void compare(Path document, List<Typed> session) throws Exception {
    if (session.isEmpty()) {
      return;
    }
    Path home = Files.createTempDirectory(temporary, "home").toRealPath();
    StringBuilder script = new StringBuilder();
    for (Typed typed : session) {
      script.append(typed.command).append("\necho \"").append(MARK).append(" $?\"\n");
    }
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", script.toString());
    bash.directory(ROOT.toFile()).redirectErrorStream(true);
    bash.environment()
        .keySet()
        .removeIf(name -> name.startsWith("PARLEY_") || name.equals("BUS_DIR"));
    bash.environment().put("PARLEY_STATE", System.getenv("PARLEY_STATE"));
    bash.environment().put("HOME", home.toString());
    bash.environment().put("PATH", home.resolve(".local/bin") + ":" + System.getenv("PATH"));
    Process process = bash.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();

    List<String> lines = new ArrayList<>(printed.lines().toList());
    for (Typed typed : session) {
      int end = 0;
      while (!lines.get(end).startsWith(MARK)) {
        end++;
      }
      String where = document.getFileName() + ": $ " + typed.command;
      assertThat(lines.get(end))
          .as("%s printed %s", where, lines.subList(0, end))
          .isEqualTo(MARK + " 0");
      assertThat(normal(lines.subList(0, end), home))
          .as(where)
          .isEqualTo(normal(typed.output, home));
      lines.subList(0, end + 1).clear();
    }
  }

  /**
   * What differs from run to run is made the same: the home folder, ids, tokens, times, the room
   * that columns take, and places in topics whose lines carry the clock.
   */
  private static List<String> normal(List<String> lines, Path home) {
    return lines.stream()
        .map(line -> line.replace(home.toString(), "~"))
        .map(line -> line.replaceAll("[a-z2-7]{16}-[0-9]+", "<id>"))
        .map(line -> line.replaceAll("\\d{4}-\\d\\d-\\d\\d[T ]", ""))
        .map(line -> line.replaceAll("\\d\\d:\\d\\d(:\\d\\d)?(\\.\\d+)?Z?", "<time>"))
        .map(line -> line.replaceAll("\\d+ s ago", "<ago>"))
        .map(line -> line.replaceAll("\"sum\":\"[0-9a-f]{8}\"", "\"sum\":<sum>"))
        .map(line -> line.replaceAll("token \\d+", "token <n>"))
        .map(line -> line.replaceAll("(mail|ledger)([.a-z]*)@\\d+", "$1$2@<n>"))
        .map(line -> line.replaceAll(" {2,}", "  ").stripTrailing())
        .filter(line -> !line.isBlank() && !line.startsWith("Building Parley"))
        .toList();
  }
}
