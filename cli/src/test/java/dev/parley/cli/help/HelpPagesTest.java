package dev.parley.cli.help;

import dev.parley.cli.CommandRegistry;
import dev.parley.cli.args.Description;
import dev.parley.cli.testing.Trial;
import dev.parley.core.GoldenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** All help pages are in one file, so that a change of wording is seen in review. */
class HelpPagesTest {
  @Test
  void everyHelpPageIsAsInTheCheckedInFile() throws IOException {
    CommandRegistry registry = new CommandRegistry();
    List<String> pages = new ArrayList<>(List.of("help", "help --all", "help agent"));
    for (String name : registry.names()) {
      Description command = Objects.requireNonNull(registry.describe(name));
      pages.add("help " + name);
      command.subcommands().forEach(sub -> pages.add("help " + sub.name()));
    }
    StringBuilder text = new StringBuilder();
    for (String page : pages) {
      text.append("$ parley ").append(page).append("\n\n");
      text.append(new Trial(Path.of("/")).run(page.split(" ")).out().stripTrailing());
      text.append("\n\n");
    }
    GoldenFile.of("help.txt").check(text.toString());
  }
}
