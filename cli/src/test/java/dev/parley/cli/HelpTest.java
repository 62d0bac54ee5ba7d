package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.core.json.Json;
import dev.parley.dialects.markdown.Kind;
import dev.parley.dialects.mount.Dialect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HelpTest {
  private final Catalogue catalogue = new Catalogue();
  private final Trial trial = new Trial(Path.of("/"));

  private List<Description> commands() {
    return catalogue.names().stream()
        .map(name -> Objects.requireNonNull(catalogue.describe(name)))
        .toList();
  }

  @Test
  void helpListsTheCommandsByGroupAndPlumbingOnlyWhenAllIsAskedFor() {
    String usual = trial.run("help").out();
    String all = trial.run("help", "--all").out();

    for (Description command : commands()) {
      String entry = "\n  " + command.name() + " ";
      assertThat(all).contains(entry).contains(command.summary());
      if (command.group() == Group.PLUMBING) {
        assertThat(usual).doesNotContain(entry);
      } else {
        assertThat(usual).contains(entry);
      }
    }
    assertThat(commands())
        .filteredOn(command -> command.group() == Group.PLUMBING)
        .extracting(Description::name)
        .containsExactly("publish", "tail", "topics");
    assertThat(all).doesNotContain("demo-agent");
  }

  @Test
  void theHelpOfACommandHasItsUsageOptionsExamplesAndExitCodes() {
    for (Description command : commands()) {
      String help = trial.run(command.name(), "--help").out();

      assertThat(help).isEqualTo(trial.run("help", command.name()).out());
      assertThat(help).contains(command.usage(), "Examples", "Exit codes");
      List<Option> options = new ArrayList<>(command.options());
      options.addAll(CommonOptions.ALL);
      for (Option option : options) {
        assertThat(help).as(command.name()).contains(option.usage(), option.help());
      }
      assertThat(command.examples()).as(command.name()).isNotEmpty();
    }
  }

  /** What stands in an argument, everybody on the machine can read. */
  @Test
  void whereABodyIsGivenTheHelpNamesStdin() {
    for (Description command : commands()) {
      for (Option option : command.options()) {
        if (option.name().equals("--body")) {
          assertThat(option.help()).as(command.name()).contains("- reads stdin, which shows in no");
        }
      }
    }
    assertThat(trial.run("send", "--help").out().replaceAll("\\s+", " "))
        .contains("give what is private on stdin, with --body -.", "--body - <key.txt");
  }

  /** Help has their names as words, so as to load no class of theirs. */
  @Test
  void theHelpKnowsEveryDialectAndEveryTypeOfAJournal() {
    String mount = Objects.requireNonNull(catalogue.describe("mount")).usage();
    String init = trial.run("init", "--help").out();
    for (String dialect : Dialect.words()) {
      assertThat(mount).contains(dialect);
      assertThat(init).contains(dialect);
    }
    assertThat(trial.run("journal", "--help").out().replaceAll("\\s+", " "))
        .contains(String.join(", ", Kind.names()));
  }

  @Test
  void helpWinsOverWhatIsMissing() {
    assertThat(trial.run("publish", "-h").exitCode()).isZero();
    assertThat(trial.run("-h").out()).isEqualTo(trial.run("help").out());
  }

  @Test
  void helpInJsonIsOneObjectACommand() {
    assertThat(trial.run("help", "--json").lines())
        .extracting(line -> Json.parse(line).fields().get("command").text())
        .containsExactlyElementsOf(catalogue.names());
  }

  @Test
  void everyCommandIsFoundUnderItsOwnName() {
    assertThat(commands()).extracting(Description::name).isEqualTo(catalogue.names());
  }
}
