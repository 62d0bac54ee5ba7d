package dev.parley.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesTest {
  @TempDir private Path folder;

  private interface Program {
    void run() throws Exception;
  }

  private static List<String> printed(Program program) throws Exception {
    PrintStream stdout = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(stdout);
    }
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void theDocumentsShowNothingButLinesOfTheExamples() throws Exception {
    Path root = Path.of(System.getProperty("parley.root"));
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files =
        Files.list(root.resolve("examples/src/main/java/dev/parley/examples"))) {
      for (Path file : files.toList()) {
        sources.append(Files.readString(file));
      }
    }
    assertThat(shownIn(root.resolve("README.md"))).hasSizeBetween(3, 15);
    for (String document : List.of("README.md", "docs/EMBEDDING.md")) {
      assertThat(shownIn(root.resolve(document)))
          .as(document)
          .isNotEmpty()
          .allSatisfy(line -> assertThat(sources).contains(line.strip()));
    }
  }

  /** The lines of a document's blocks of Java. */
  private static List<String> shownIn(Path document) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(document)) {
      if (line.startsWith("```")) {
        inside = line.equals("```java");
      } else if (inside) {
        lines.add(line);
      }
    }
    return lines;
  }

  @Test
  void askAndAnswer() throws Exception {
    assertThat(printed(() -> AskAndAnswer.main(new String[0])))
        .containsExactly("bob is asked: Which port?", "alice is told: 8080");
  }

  @Test
  void takeALease() throws Exception {
    assertThat(printed(() -> TakeALease.main(new String[0])))
        .containsExactly(
            "alice holds [src/Parser.java]", "bob is refused: held", "bob holds [src/]");
  }

  @Test
  void pullTasks() throws Exception {
    assertThat(printed(() -> PullTasks.main(new String[0])))
        .hasSize(6)
        .allMatch(line -> line.endsWith(" is DONE"));
  }

  @Test
  void boardOfThree() throws Exception {
    assertThat(printed(() -> BoardOfThree.main(new String[0])))
        .containsExactly("verdict: APPROVED", "dissent: cat");
  }

  @Test
  void followChanges() throws Exception {
    assertThat(printed(() -> FollowChanges.main(new String[0])))
        .contains("ledger: join", "ledger: lease.request", "after the break: mail.alice: message")
        .doesNotContain("after the break: ledger: join", "after the break: ledger: lease.request");
  }

  @Test
  void serveManyAgents() throws Exception {
    assertThat(printed(() -> ServeManyAgents.main(new String[] {folder.toString()})))
        .containsExactly("20 agents took their turn");
  }
}
