package dev.parley.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The words for each decision, on each surface. */
class ExplanationTest {
  private static final Pattern CODE =
      Pattern.compile(
          "(?:ParleyException\\.(?:invalid|refused)|Outcome\\.refused|Outcome\\.Refused)"
              + "\\(\\s*\"([a-z-]+)\""
              + "|Kind\\.[A-Z]+,\\s*\"([a-z-]+)\""
              + "|(?:NAME_TAKEN|OUTDATED) = \"([a-z-]+)\"");

  @Test
  void everyCodeOfCoreAndTheCoordinationLayerHasASentenceAndAStepWithoutACommand()
      throws IOException {
    Set<String> codes = codes();
    assertThat(codes)
        .hasSizeGreaterThan(70)
        .contains("held", "name-taken", "line-not-met", "bad-topic", "lost-place");
    for (String code : codes) {
      ParleyException bare = ParleyException.refused(code, Json.object());
      Explanation plain = Explanation.of(bare, NextSteps.PLAIN, time -> "then");

      assertThat(plain.message()).as(code).isNotEqualTo(code + ".").endsWith(".");
      assertThat(plain.next()).as(code).isNotEmpty().doesNotContain("parley ", "--");
      assertThat(Explanation.of(bare).next()).as(code).isNotEmpty();
    }
  }

  /** The file log says what is wrong; which command helps is for the surface to say. */
  @Test
  void everyErrorOfTheFileLogThatNamesNoStepGetsOneFromEachSurface() throws IOException {
    Pattern byCode =
        Pattern.compile("\"([a-z0-9-]+)\",(?:(?!\\w+\\(\\s*\"[a-z0-9-]+\",)[^;])*?NEXT_BY_CODE");
    Set<String> codes = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("../file-log/src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        Matcher found = byCode.matcher(Files.readString(file, UTF_8));
        while (found.find()) {
          codes.add(found.group(1));
        }
      }
    }
    assertThat(codes).hasSizeGreaterThan(10).contains("no-bus", "not-trusted", "unknown-outcome");
    for (String code : codes) {
      ParleyException error =
          ParleyException.refused(code, "It is so.", ParleyException.NEXT_BY_CODE);
      assertThat(Explanation.of(error).next()).as(code).contains("parley ");
      assertThat(Explanation.of(error, NextSteps.PLAIN, time -> "then").next())
          .as(code)
          .isNotEmpty()
          .doesNotContain("parley ", "--");
    }
  }

  @Test
  void aRefusalSaysWhoHoldsWhatUntilWhenAndHowToAsk() {
    ParleyException held =
        refused(
            "held",
            Json.object()
                .put("holder", "alice")
                .put("paths", Json.ofStrings(List.of("src/", "a.ts")))
                .put("since", "2026-01-01T00:00:00.000Z")
                .put("until", "2026-01-01T00:10:00.000Z"));

    Explanation shell = Explanation.of(held);
    assertThat(shell.message())
        .isEqualTo(
            "alice holds src/, a.ts (since 2026-01-01T00:00:00.000000Z, until"
                + " 2026-01-01T00:10:00.000000Z).");
    assertThat(shell.next())
        .isEqualTo(
            "Wait for it (--wait 5m), or ask the holder: parley send alice --type question <text>");
    Explanation ours = Explanation.of(held, NextSteps.PLAIN, time -> "noon");
    assertThat(ours.message()).isEqualTo("alice holds src/, a.ts (since noon, until noon).");
    assertThat(ours.next()).isEqualTo("Wait for it, or ask alice.");
  }

  @Test
  void aCircleIsShownAsAWay() {
    Json cycle = Json.ofStrings(List.of("alice", "task:1", "bob", "alice"));
    assertThat(
            Explanation.of(refused("would-deadlock", Json.object().put("cycle", cycle))).message())
        .isEqualTo("Waiting would create a deadlock: alice → task:1 → bob → alice.");
  }

  @Test
  void aSurfaceGivesItsOwnNextStepAndKeepsTheMessage() {
    NextSteps tools = (code, details) -> code.equals("held") ? "Call lock with wait=300." : null;
    ParleyException held = refused("held", Json.object().put("holder", "bob").put("waiting", true));

    assertThat(Explanation.of(held, tools, String::valueOf))
        .isEqualTo(
            new Explanation(
                "bob is ahead of you in the queue for it.", "Call lock with wait=300."));
    assertThat(Explanation.of(refused("not-waiting", Json.object()), tools, String::valueOf).next())
        .isEqualTo("Continue.");
  }

  @Test
  void whatIsWordedKeepsItsWordsAndAnUnknownCodeIsShownWithItsDetails() {
    assertThat(Explanation.of(ParleyException.invalid("x", "Is wrong.", "Do it right.")))
        .isEqualTo(new Explanation("Is wrong.", "Do it right."));
    assertThat(Explanation.of(refused("brand-new", Json.object().put("a", 1))).message())
        .contains("brand-new", "a=1");
  }

  @Test
  void anUnreadableMessageSaysWhyAndHowToBeRidOfIt() {
    ParleyException why = Contents.missing("sha256:0");
    ParleyException letter =
        new ParleyException(
            ParleyException.Kind.FAILED,
            why.code(),
            Json.object().put("id", "m1").put("from", "bob").build(),
            why);
    assertThat(Explanation.of(letter))
        .isEqualTo(
            new Explanation(
                "The message m1 from bob cannot be read: The content sha256:0 is not there any more.",
                "Ask the sender to send it again. To remove the message: parley inbox rm m1"));
  }

  @Test
  void aBadPatternSaysWhatIsWrongWithIt() {
    try {
      var _ = PathPattern.of("../x");
    } catch (ParleyException e) {
      assertThat(Fields.of(e.details()).text("path")).isEqualTo("../x");
      assertThat(Explanation.of(e).message())
          .startsWith("\"../x\" is not a path or pattern: it ")
          .endsWith(".");
      assertThat(Explanation.of(e).next()).contains("src/a.ts");
      return;
    }
    throw new AssertionError("accepted");
  }

  private static ParleyException refused(String code, Json.ObjectBuilder details) {
    return new RefusedException(new Outcome.Refused(code, details.build()));
  }

  private static Set<String> codes() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : List.of("../core", "../coordination")) {
      try (Stream<Path> all = Files.walk(Path.of(module, "src/main/java"))) {
        all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    Set<String> codes = new TreeSet<>();
    for (Path file : files) {
      Matcher code = CODE.matcher(Files.readString(file, UTF_8));
      while (code.find()) {
        for (int group = 1; group <= code.groupCount(); group++) {
          if (code.group(group) != null) {
            codes.add(code.group(group));
          }
        }
      }
    }
    return codes;
  }
}
