package dev.parley.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRegistry;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.testing.Trial;
import dev.parley.core.json.Json;
import dev.parley.dialects.markdown.JournalType;
import dev.parley.dialects.mount.Dialect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HelpTest {
  private final CommandRegistry catalogue = new CommandRegistry();
  private final Trial trial = new Trial(Path.of("/"));

  private List<Description> commands() {
    return catalogue.names().stream()
        .map(name -> Objects.requireNonNull(catalogue.describe(name)))
        .toList();
  }

  /** The commands and all their sub-commands. */
  private List<Description> pages() {
    List<Description> pages = new ArrayList<>();
    for (Description command : commands()) {
      pages.add(command);
      pages.addAll(command.subcommands());
    }
    return pages;
  }

  private static String unwrapped(String help) {
    return help.replaceAll(" \\\\\n", " ").replaceAll("\\s+", " ");
  }

  @Test
  void helpListsTheCommandsByGroupAndPlumbingOnlyWhenAllIsAskedFor() {
    String usual = trial.run("help").out();
    String all = trial.run("help", "--all").out();

    for (Description command : commands()) {
      String entry = "\n  " + command.name() + " ";
      assertThat(all).contains(entry);
      assertThat(unwrapped(all)).contains(command.summary());
      if (command.group() == Group.PLUMBING) {
        assertThat(usual).doesNotContain(entry);
      } else {
        assertThat(usual).contains(entry);
      }
    }
    assertThat(commands())
        .filteredOn(command -> command.group() == Group.PLUMBING)
        .extracting(Description::name)
        .containsExactly("hook", "publish", "tail", "topics");
    assertThat(all).doesNotContain("demo-agent");
  }

  @Test
  void theHelpOfACommandAndOfASubcommandHasItsUsageArgumentsOptionsAndExamples() {
    for (Description page : pages()) {
      List<String> words = new ArrayList<>(List.of(page.name().split(" ")));
      words.add("--help");
      String help = trial.run(words.toArray(String[]::new)).out();
      words.removeLast();
      words.addFirst("help");

      assertThat(help).isEqualTo(trial.run(words.toArray(String[]::new)).out());
      String text = unwrapped(help);
      assertThat(text).as(page.name()).contains(page.usage());
      for (Option option : page.options()) {
        assertThat(text).as(page.name()).contains(option.help());
        assertThat(text.replace(" ", "")).contains(option.usage().replace(" ", ""));
      }
      for (Parameter parameter : page.parameters()) {
        assertThat(text).as(page.name()).contains(parameter.help());
      }
      for (Description sub : page.subcommands()) {
        assertThat(text).as(page.name()).contains(sub.word() + " ", sub.summary());
      }
    }
    assertThat(commands()).allSatisfy(it -> assertThat(it.examples()).isNotEmpty());
  }

  @Test
  void whatAllCommandsShareIsExplainedOnceAndNotOnEachPage() {
    String overview = unwrapped(trial.run("help").out());

    for (Option option : CommonOptions.ALL) {
      assertThat(overview).contains(option.usage(), option.help());
    }
    assertThat(overview).contains("Exit codes", "130");
    for (Description page : pages()) {
      String help = trial.run(("help " + page.name()).split(" ")).out();
      assertThat(help).doesNotContain("Exit codes", CommonOptions.COLOR.help());
      assertThat(unwrapped(help)).contains("parley help explains these, and the exit codes");
    }
  }

  /** A pane beside three others is that narrow. */
  @Test
  void helpFitsInFortyColumns() {
    Trial narrow = new Trial(Path.of("/")).onATerminal(40);
    List<String> all = new ArrayList<>(narrow.run("help", "--all").lines());
    for (Description page : pages()) {
      all.addAll(narrow.run(("help " + page.name()).split(" ")).lines());
    }

    assertThat(all).hasSizeGreaterThan(500);
    assertThat(all)
        .allSatisfy(line ->
            assertThat(line.replaceAll("\033\\[[0-9;]*m", "")).hasSizeLessThanOrEqualTo(40));
  }

  /** Options may stand before the sub-command: so it must be known whether they take a value. */
  @Test
  void anOptionOfSeveralSubcommandsTakesAValueInAllOfThemOrInNone() {
    for (Description command : commands()) {
      Map<String, Boolean> flags = new HashMap<>();
      for (Description sub : command.subcommands()) {
        for (Option option : sub.options()) {
          Boolean other = flags.put(option.name(), option.isFlag());
          assertThat(other == null || other == option.isFlag()).as(sub + " " + option).isTrue();
        }
      }
    }
  }

  /** What stands in an argument, everybody on the machine can read. */
  @Test
  void whereABodyIsGivenTheHelpNamesStdin() {
    for (Description page : pages()) {
      for (Option option : page.options()) {
        if (option.name().equals("--body")) {
          assertThat(option.letter()).as(page.name()).isEqualTo("-m");
          assertThat(option.help()).as(page.name()).contains("- reads stdin, which shows in no");
        }
      }
    }
    assertThat(unwrapped(trial.run("send", "--help").out()))
        .contains("give what is private on stdin", "<key.txt");
  }

  /** Help has their names as words, so as to load no class of theirs. */
  @Test
  void theHelpKnowsEveryDialectAndEveryTypeOfAJournal() {
    String mount = trial.run("mount", "add", "--help").out();
    String init = trial.run("init", "--help").out();
    for (String dialect : Dialect.words()) {
      assertThat(mount).contains(dialect);
      assertThat(init).contains(dialect);
    }
    assertThat(trial.run("journal", "post", "--help").out().replaceAll("\\s+", " "))
        .contains(String.join(", ", JournalType.names()));
  }

  @Test
  void helpWinsOverWhatIsMissing() {
    assertThat(trial.run("publish", "-h").exitCode()).isZero();
    assertThat(trial.run("-h").out()).isEqualTo(trial.run("help").out());
  }

  @Test
  void helpInJsonIsOneObjectACommand() {
    assertThat(trial.run("help", "--all", "--json").lines())
        .extracting(line -> Json.parse(line).fields().get("command").text())
        .containsExactlyElementsOf(catalogue.names());
  }

  @Test
  void everyCommandIsFoundUnderItsOwnName() {
    assertThat(commands()).extracting(Description::name).isEqualTo(catalogue.names());
  }
}
