package dev.parley.cli.trust;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.orchestration.settings.RepositoryFile;
import dev.parley.orchestration.settings.Settings;
import java.util.List;
import java.util.Map;

/** The repository's settings files whose current content the user has not accepted. */
record RepositoryFiles(List<RepositoryFile> files) {
  static RepositoryFiles of(Invocation invocation) {
    return new RepositoryFiles(
        Settings.repositoryFiles(invocation.shell().folder(), invocation.shell().environment())
            .stream()
            .filter(file -> !file.trusted())
            .toList());
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  List<String> paths() {
    return files.stream().map(file -> file.path().toString()).toList();
  }

  /**
   * Prints everything that would take effect, however long it is, so that nothing can hide at the
   * end; of keys only the names.
   */
  void show(Output out) {
    for (RepositoryFile file : files) {
      out.line(out.styled(Style.BOLD, Printable.text(file.path().toString())) + " says:");
      file.shown().forEach(line -> out.line("  " + Printable.text(line)));
    }
  }

  void accept(Map<String, String> environment) {
    files.forEach(file -> file.accept(environment));
  }
}
