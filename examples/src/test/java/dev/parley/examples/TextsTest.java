package dev.parley.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every sentence that the program can say is in one file, class by class, so that all of them can
 * be read at once, and a change of wording is seen in review. {@code -Dparley.golden=update} writes
 * the file.
 */
class TextsTest {
  private static final Path ROOT = Path.of(System.getProperty("parley.root"));
  private static final Path FILE = Path.of("src/test/resources/golden/texts.txt");
  private static final List<String> MODULES =
      List.of(
          "core", "file-log", "coordination", "library", "dialects", "orchestration", "mcp", "cli");

  /** Comments, characters and texts, so that a quote in a comment begins no text. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"\\R(?<block>(?s:.*?))\"\"\"|\"(?<text>(?:\\\\.|[^\"\\\\\\n])*)\""
              + "|'(?:\\\\.|[^'\\\\\\n])+'|//[^\\n]*|/\\*(?s:.*?)\\*/");

  /** What stands between two parts of one sentence: nothing, or a value. */
  private static final Pattern JOINED = Pattern.compile("\\s*\\+\\s*([^\";{}]{1,120}\\+\\s*)?");

  /** Three words in a row. */
  private static final Pattern WORDS =
      Pattern.compile("[A-Za-z…][a-z'…]*[,:;]? [a-z'…<>-]+[,:;]? [A-Za-z'…<>-]+");

  /** Statements for databases and git, which are no sentences. */
  private static final Pattern NO_SENTENCE =
      Pattern.compile("^(?:SELECT|INSERT|UPDATE|CREATE|PRAGMA|CASE|AND) .*|.*\\\\\\\\[bd].*");

  @Test
  void everySentenceIsInTheCheckedInFile() throws IOException {
    TreeMap<String, List<String>> byClass = new TreeMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          List<String> sentences = sentences(Files.readString(file, UTF_8));
          if (!sentences.isEmpty()) {
            String name = String.valueOf(file.getFileName()).replace(".java", "");
            byClass.put(module + "  " + name, sentences);
          }
        }
      }
    }
    assertThat(byClass).hasSizeGreaterThan(200);
    StringBuilder now = new StringBuilder();
    byClass.forEach((name, sentences) -> {
      now.append("== ").append(name).append('\n');
      sentences.forEach(sentence -> now.append(sentence).append('\n'));
    });
    if ("update".equals(System.getProperty("parley.golden"))) {
      Files.writeString(FILE, now, UTF_8);
    }
    assertThat(now.toString())
        .as("%s; if it is meant: run this test with -Dparley.golden=update", FILE)
        .isEqualTo(Files.exists(FILE) ? Files.readString(FILE, UTF_8) : "");
  }

  @Test
  void partsOfASentenceAreJoinedAndValuesAreShownAsPlaces() {
    assertThat(
            sentences(
                "// \"not this one here\"\nf(\"There is no \" + a.b() + \" at\" + \" all.\");"))
        .containsExactly("There is no … at all.");
    assertThat(sentences("f(\"two words\", \"SELECT id from here\");")).isEmpty();
  }

  private static List<String> sentences(String source) {
    List<String> sentences = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    int end = -1;
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      String text = token.group("block") == null ? token.group("text") : token.group("block");
      if (text == null) {
        continue;
      }
      Matcher between = end < 0 ? null : JOINED.matcher(source.substring(end, token.start()));
      if (between != null && between.matches()) {
        open.append(between.group(1) == null ? "" : "…").append(text);
      } else {
        add(sentences, open.toString());
        open.setLength(0);
        open.append(text);
      }
      end = token.end();
    }
    add(sentences, open.toString());
    return sentences;
  }

  private static void add(List<String> sentences, String text) {
    if (WORDS.matcher(text).find() && !NO_SENTENCE.matcher(text).matches()) {
      sentences.add(text.strip());
    }
  }
}
