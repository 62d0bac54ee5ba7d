package dev.parley.coordination;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is decided is a code and its details: words are made above, for whoever reads them. */
class DecisionsAreDataTest {
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

  /** A command such as {@code parley lock}, or an option. */
  private static final Pattern COMMAND = Pattern.compile("\\bparley [a-z]|(^|[ (])--[a-z]");

  /** What keys of writers are derived with: part of the format. */
  private static final Set<String> FORMAT = Set.of("parley writer 1.", "parley writer 2.");

  /** An exception or a refusal that is given a sentence. */
  private static final Pattern WORDED =
      Pattern.compile(
          "(ParleyException\\.(invalid|refused)|Outcome\\.refused)\\(\\s*[\\w.\"-]+,\\s*\""
              + "|new ParleyException\\([^;]*?,[^;]*?,\\s*\"");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

  /** Where an error for a caller is made, up to the end of the statement. */
  private static final Pattern MADE =
      Pattern.compile(
          "(ParleyException\\.(invalid|refused|closed)|new (Parley|LostPlace|Append)Exception"
              + "|super\\(\\s*Kind\\.)[^;]*;");

  /** Words that begin like a sentence, or end like one. */
  private static final Pattern SENTENCE = Pattern.compile("^[A-Z][a-z]* [a-z]| [a-z]+\\.$");

  @Test
  void noStringOfTheModulesBelowTheLibraryNamesACommandOrAFlag() throws IOException {
    List<String> found = new ArrayList<>();
    int literals = 0;
    for (Path file : sources("../core", "../file-log", ".")) {
      if (file.endsWith("SandboxSettings.java")) {
        continue; // names options of agent hosts, not of parley
      }
      for (String line : Files.readString(file, UTF_8).lines().toList()) {
        Matcher literal = LITERAL.matcher(line);
        while (literal.find()) {
          literals++;
          String text = literal.group(1);
          if (COMMAND.matcher(text).find() && !FORMAT.contains(text)) {
            found.add(file.getFileName() + ": " + text);
          }
        }
      }
    }
    assertThat(literals).isGreaterThan(500);
    assertThat(found).isEmpty();
  }

  @Test
  void noDecisionOfTheCoordinationLayerCarriesASentence() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sources(".")) {
      Matcher worded = WORDED.matcher(Files.readString(file, UTF_8));
      while (worded.find()) {
        found.add(file.getFileName() + ": " + worded.group());
      }
    }
    assertThat(found).isEmpty();
  }

  /**
   * Whatever core throws for a caller is a code and details. Only errors that callers cannot cause,
   * and the reasons why bytes are not JSON or not an envelope, are words: they are shown as data
   * about those bytes, with their offset. Reports are not thrown.
   */
  @Test
  void noErrorOfTheCoreCarriesASentence() throws IOException {
    List<String> found = new ArrayList<>();
    int thrown = 0;
    for (Path file : sources("../core")) {
      String source = COMMENT.matcher(Files.readString(file, UTF_8)).replaceAll("");
      Matcher made = MADE.matcher(source);
      while (made.find()) {
        thrown++;
        Matcher literal = LITERAL.matcher(made.group());
        while (literal.find()) {
          if (literal.group(1).contains(" ")) {
            found.add(file.getFileName() + ": " + literal.group(1));
          }
        }
      }
      if (file.endsWith("Report.java") || file.endsWith("package-info.java")) {
        continue;
      }
      Matcher literal = LITERAL.matcher(source);
      while (literal.find()) {
        if (SENTENCE.matcher(literal.group(1)).find()) {
          found.add(file.getFileName() + ": " + literal.group(1));
        }
      }
    }
    assertThat(thrown).isGreaterThan(12);
    assertThat(found).isEmpty();
  }

  @Test
  void theRulesSeeWhatTheyForbid() {
    assertThat(MADE.matcher("throw ParleyException.invalid(BAD, \"No. \" + x);").find()).isTrue();
    assertThat(MADE.matcher("return new LostPlaceException(topic, \"it is gone\");").find())
        .isTrue();
    assertThat(MADE.matcher("super(\n Kind.REFUSED, \"x\", \"It is gone.\");").find()).isTrue();
    assertThat(SENTENCE.matcher("Use another key.").find()).isTrue();
    assertThat(SENTENCE.matcher("The topic ").find()).isTrue();
    assertThat(SENTENCE.matcher("bad number").find()).isFalse();
    assertThat(COMMAND.matcher("Take another: parley task next").find()).isTrue();
    assertThat(COMMAND.matcher("Wait for it (--wait 5m).").find()).isTrue();
    assertThat(COMMAND.matcher("--ttl").find()).isTrue();
    assertThat(COMMAND.matcher("-->").find()).isFalse();
    assertThat(WORDED.matcher("Outcome.refused(\n  \"held\",\n  \"Bob holds it.\"").find())
        .isTrue();
    assertThat(WORDED.matcher("ParleyException.invalid(CODE, \"No.\", \"Go.\")").find()).isTrue();
    assertThat(WORDED.matcher("new ParleyException(Kind.FAILED, \"x\", \"No.\"").find()).isTrue();
    assertThat(WORDED.matcher("Outcome.refused(\"held\", Json.object()").find()).isFalse();
  }

  private static List<Path> sources(String... modules) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : modules) {
      try (Stream<Path> all = Files.walk(Path.of(module, "src/main/java"))) {
        all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    assertThat(files).hasSizeGreaterThan(50);
    return files;
  }
}
