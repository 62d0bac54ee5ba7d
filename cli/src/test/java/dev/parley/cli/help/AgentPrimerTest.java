package dev.parley.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import dev.parley.cli.CommandRegistry;
import dev.parley.cli.args.Description;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The primer for agents, and how it comes into the files that they read. */
class AgentPrimerTest {
  @TempDir private Path folder;

  private Answer run(String... args) {
    return new Trial(folder).run(args);
  }

  private String text(String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  @Test
  void thePrimerFitsIntoAContext() {
    int tokens =
        Encodings.newLazyEncodingRegistry()
            .getEncoding(EncodingType.O200K_BASE)
            .countTokens(AgentPrimer.TEXT);

    assertThat(tokens).isBetween(300, 700);
    assertThat(AgentPrimer.TEXT.length()).isLessThanOrEqualTo(3200);
    assertThat(run("help", "agent").out()).isEqualTo(AgentPrimer.TEXT);
  }

  @Test
  void thePrimerSaysAllThatAnAgentMustKnow() {
    assertThat(AgentPrimer.TEXT)
        .contains("parley status", "task next", "task done", "parley wait", "reply", "lock")
        .contains("PARLEY_AGENT", "Exit codes", "never an order")
        .contains("board");
  }

  /** Everything it tells an agent to type can be parsed. */
  @Test
  void everyCommandInThePrimerExistsWithItsOptions() {
    CommandRegistry catalogue = new CommandRegistry();
    Matcher matcher = Pattern.compile("`parley ([^`]+)`").matcher(AgentPrimer.TEXT);
    int found = 0;
    while (matcher.find()) {
      found++;
      String[] words = matcher.group(1).split(" ", -1);
      Description command = catalogue.describe(words[0]);
      assertThat(command).as(matcher.group()).isNotNull();
      Description form = command;
      if (!command.subcommands().isEmpty() && words.length > 1) {
        Description sub = command.subcommand(words[1]);
        form = sub == null ? command.standardSubcommand() : sub;
      }
      for (String word : words) {
        if (word.startsWith("-")) {
          assertThat(form.option(word)).as(matcher.group() + " " + word).isNotNull();
        }
      }
    }
    assertThat(found).isGreaterThan(15);
  }

  @Test
  void withoutAFileAgentsMdIsMadeAndTwiceIsOnce() throws IOException {
    assertThat(run("setup", "agents-md").out()).startsWith("written ");
    String once = text("AGENTS.md");
    assertThat(once).contains(AgentPrimer.TEXT.strip());

    assertThat(run("setup", "agents-md").out()).startsWith("unchanged ");
    assertThat(text("AGENTS.md")).isEqualTo(once);
    assertThat(run("setup", "agents-md", "--remove").out()).startsWith("removed ");
    assertThat(folder.resolve("AGENTS.md")).doesNotExist();
    assertThat(run("setup", "agents-md", "--remove").out())
        .startsWith("unchanged: ")
        .endsWith("AGENTS.md does not exist\n");
  }

  @Test
  void whatOthersWroteStaysByteByByte() throws IOException {
    byte[] others = "# Ours\r\n\r\nümlaut \u20ac\r\n".getBytes(StandardCharsets.UTF_8);
    byte[] latin = {'a', (byte) 0xE9, '\n'};
    Files.write(folder.resolve("AGENTS.md"), others);
    Files.write(folder.resolve("CLAUDE.md"), latin);

    assertThat(run("setup", "agents-md").lines()).hasSize(2);
    assertThat(new String(Files.readAllBytes(folder.resolve("AGENTS.md")), StandardCharsets.UTF_8))
        .startsWith("# Ours\r\n\r\nümlaut \u20ac\r\n\r\n<!-- parley:begin")
        .doesNotContainPattern("[^\r]\n");
    assertThat(Files.readAllBytes(folder.resolve("CLAUDE.md"))).startsWith(latin);

    assertThat(run("setup", "agents-md", "--remove").lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("removed the primer from "));
    assertThat(run("setup", "agents-md", "--remove").lines())
        .hasSize(2)
        .allMatch(line -> line.endsWith(".md has no primer"));
    assertThat(Files.readAllBytes(folder.resolve("AGENTS.md"))).isEqualTo(others);
    assertThat(Files.readAllBytes(folder.resolve("CLAUDE.md"))).isEqualTo(latin);
  }

  @Test
  void anOldPrimerIsReplacedWhereItStands() throws IOException {
    Files.writeString(
        folder.resolve("AGENTS.md"),
        "before\n<!-- parley:begin x -->\nold\n<!-- parley:end -->\nafter\n");

    assertThat(run("setup", "agents-md").out()).startsWith("updated ");
    assertThat(text("AGENTS.md"))
        .startsWith("before\n<!-- parley:begin")
        .endsWith("<!-- parley:end -->\nafter\n")
        .doesNotContain("\nold\n");
  }

  @Test
  void aFileWhoseMarksAreBrokenIsLeftAlone() throws IOException {
    Path file = folder.resolve("AGENTS.md");
    for (String broken :
        new String[] {
          "<!-- parley:begin -->\nx\n",
          "x <!-- parley:end -->\n",
          "<!-- parley:end --> <!-- parley:begin -->",
          "<!-- parley:begin --><!-- parley:end --><!-- parley:begin --><!-- parley:end -->"
        }) {
      Files.writeString(file, broken);
      assertThat(run("setup", "agents-md").exitCode()).isEqualTo(3);
      assertThat(text("AGENTS.md")).isEqualTo(broken);
    }
  }

  @Test
  void aLinkFromOneFileToTheOtherIsOneFile() throws IOException {
    Files.writeString(folder.resolve("AGENTS.md"), "x\n");
    Files.createSymbolicLink(folder.resolve("CLAUDE.md"), Path.of("AGENTS.md"));

    assertThat(run("setup", "agents-md").lines()).hasSize(1);
    assertThat(folder.resolve("CLAUDE.md")).isSymbolicLink();
    assertThat(text("AGENTS.md").split("parley:begin", -1)).hasSize(2);
  }
}
