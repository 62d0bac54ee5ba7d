package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text comes back as it was given, whatever the locale; what can't is refused. */
class LocaleIT {
  private static final String TEXT = "Grüße, 東京 🚀 e\u0301 \ufffd";

  @TempDir private Path temporary;
  private Path folder;

  /** Under a clean environment no build could run: it is done before. */
  @BeforeAll
  static void build() throws Exception {
    try (Launched parley = Launched.parley(Path.of("/"), "--version")) {
      assertThat(parley.answer().exitCode()).isZero();
    }
  }

  @BeforeEach
  void makeAFolderWithANameBeyondAscii() throws IOException {
    folder = Files.createDirectory(temporary.toRealPath().resolve("Bücher 📚"));
  }

  /** A bash script under a locale, in which p is the launcher; the text is in $text. */
  private Answer run(String locale, String script) throws IOException, InterruptedException {
    String p =
        "p() { env -i PATH=\"$PATH\" HOME=\"$home\" PARLEY_AGENT=ann $locale \"$parley\" \"$@\"; };"
            + " ";
    Map<String, String> variables =
        Map.of(
            "parley",
            Launched.parley().toString(),
            "locale",
            locale,
            "text",
            TEXT,
            "home",
            folder.toString());
    try (Launched bash = Launched.start(folder, variables, List.of("bash", "-c", p + script))) {
      return bash.answer();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "LC_ALL=C",
        "LC_ALL=POSIX",
        "LANG=C",
        "LC_ALL=en_US.ISO-8859-1",
        "LC_ALL=xx_XX.UTF-8",
        "LC_CTYPE=C.UTF-8"
      })
  void textInArgumentsStdinAndPathsIsKeptInEveryLocale(String locale) throws Exception {
    Answer answer =
        run(
            locale,
            "set -e; p init >/dev/null; p join >/dev/null;"
                + " p send ann --body \"$text\" >/dev/null;"
                + " printf %s \"$text\" | p send ann --body - >/dev/null;"
                + " p init --bus \"$text/bus\" >/dev/null; test -f \"$text/bus/bus.json\";"
                + " p tail mail.ann --json; p lock \"$text\" --json");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(folder.resolve(".parley/bus.json")).isRegularFile();
    assertThat(answer.lines()).hasSize(3);
    for (String line : answer.lines().subList(0, 2)) {
      Json payload = Json.parse(line).fields().get("payload");
      assertThat(payload.fields()).containsEntry("body", Json.of(TEXT));
    }
    assertThat(answer.lines().get(2)).contains(TEXT);
  }

  @Test
  void aCommandThatParleyRunsHasTheLocaleOfItsUser() throws Exception {
    for (String locale : new String[] {"LC_ALL=POSIX", "LANG=C"}) {
      Answer answer =
          run(
              locale,
              "set -e; p init >/dev/null; p task add t-${locale%=*} >/dev/null; p run --task"
                  + " t-${locale%=*} -- sh -c 'echo \"${LC_ALL-unset} ${LANG-unset}\"'");
      assertThat(answer.lines())
          .as(answer.err())
          .last()
          .isEqualTo(locale.equals("LANG=C") ? "unset C" : "POSIX unset");
    }
  }

  @Test
  void whatIsNoTextInUtf8IsRefusedAndNothingIsStored() throws Exception {
    assertThat(run("", "p init && p join").exitCode()).isZero();

    Answer argument = run("LC_ALL=C", "p send ann --body $'caf\\xe9'");
    assertThat(argument.exitCode()).isEqualTo(2);
    assertThat(argument.err()).contains("Argument 4 is not text in UTF-8");
    Answer json = run("", "p send ann --json --body $'caf\\xe9'");
    assertThat(json.json()).containsEntry("error", Json.of("not-utf8"));
    Answer stdin = run("", "printf 'caf\\xe9' | p send ann --body -");
    assertThat(stdin.exitCode()).isEqualTo(2);
    assertThat(stdin.err()).contains("What came from stdin is not text in UTF-8");
    Answer variable = run("", "PARLEY_BUS=$'caf\\xe9' \"$parley\" init");
    assertThat(variable.err()).contains("The variable PARLEY_BUS is not text in UTF-8");
    Answer there = run("", "mkdir $'caf\\xe9' && cd $'caf\\xe9' && p init");
    assertThat(there.exitCode()).isEqualTo(2);
    assertThat(there.err()).contains("The path of the folder you are in is not text in UTF-8");

    assertThat(folder.resolve(".parley/mail.ann.jsonl")).doesNotExist();
    try (var found = Files.walk(folder)) {
      assertThat(found.filter(each -> each.endsWith(".parley")).toList())
          .containsExactly(folder.resolve(".parley"));
    }
  }

  @Test
  void aProgramInALocaleThatIsNotUtf8RefusesWhatItCantRead() throws Exception {
    String java =
        "env -i LC_ALL=C \"$JAVA\" -cp \"${parley%/parley}/target/dist/lib/*\""
            + " dev.parley.cli.Main ";
    String started = java.replace("$JAVA", ProcessHandle.current().info().command().orElseThrow());

    Answer argument = run("", "cd / && " + started + "send ann --body \"$text\"");
    assertThat(argument.exitCode()).isEqualTo(2);
    assertThat(argument.err())
        .contains("Argument 4 can't be read: this locale's encoding is", "Set LC_ALL");
    Answer here = run("", started + "init");
    assertThat(here.err()).contains("The path of the folder you are in can't be read");
    assertThat(folder.resolve(".parley")).doesNotExist();
  }

  @Test
  void inADeletedFolderACommandSaysSo() throws Exception {
    Answer answer =
        run(
            "",
            "mkdir gone; cd gone; rmdir ../gone; p init; echo \"code $?\"; p --json tail; true");

    assertThat(answer.lines().getFirst()).isEqualTo("code 3");
    assertThat(answer.err()).contains("The folder you are in was deleted.").doesNotContain("\tat ");
    assertThat(Json.parse(answer.lines().get(1)).fields())
        .containsEntry("error", Json.of("no-working-folder"));
  }
}
