package dev.parley.bench.report;

import dev.parley.bench.measure.Bar.Verdict;
import dev.parley.bench.measure.Chart;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Everything a run measured, and the page it becomes. */
public final class Results {
  private static final String PLOTS = "plots";

  private final Map<Figure, FigureResult> outcomes = new LinkedHashMap<>();
  private final boolean quick;
  private final Path notes;
  private final Instant begun = Instant.now();
  private final StringBuilder page = new StringBuilder();

  /**
   * Nothing measured yet.
   *
   * @param notes the file of {@link Notes}
   */
  public Results(boolean quick, Path notes) {
    this.quick = quick;
    this.notes = notes;
  }

  public void add(Figure figure, FigureResult outcome) {
    outcomes.put(figure, outcome);
  }

  /** Writes the page, and the plots into a folder beside it. */
  public void write(Path file) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    Path plots = folder.resolve(PLOTS);
    Files.createDirectories(plots);
    Notes written = Notes.read(notes);
    page.setLength(0);
    heading(written);
    ratios();
    for (Map.Entry<Figure, FigureResult> entry : outcomes.entrySet()) {
      figure(entry.getKey(), entry.getValue(), written);
      for (Chart chart : entry.getValue().charts()) {
        Files.writeString(plots.resolve(chart.name() + ".svg"), Plot.svg(chart));
      }
    }
    machine(folder);
    Files.writeString(file, page);
  }

  private void heading(Notes written) {
    line("# How fast Parley is");
    line("");
    line(
        "Written by `./parley-bench`"
            + (quick ? " `--quick`, **with sizes that prove nothing**" : "")
            + " on "
            + begun.truncatedTo(ChronoUnit.MINUTES)
            + " in "
            + Duration.between(begun, Instant.now()).toMinutes()
            + " minutes. Messages have 200 bytes unless said. Every figure was measured beside its peers"
            + " and its physical limit in the same run; times depend on the machine, ratios much less.");
    line("");
    String general = written.on("general");
    if (!general.isEmpty()) {
      line(general);
      line("");
    }
  }

  private void ratios() {
    line("## Against the bars");
    line("");
    line("| what | bar | measured | |");
    line("| --- | --- | --- | --- |");
    for (FigureResult outcome : outcomes.values()) {
      for (Verdict verdict : outcome.verdicts()) {
        line(
            "| %s | %s | %s | %s |",
            verdict.bar().what(), verdict.bar().describe(), verdict.value(), verdict.outcome());
      }
    }
    line("");
  }

  private void figure(Figure figure, FigureResult outcome, Notes written) {
    line("## %s", figure.title());
    line("");
    line("%s (`--only %s`)", figure.method(), figure.name());
    line("");
    if (!outcome.rows().isEmpty()) {
      line("| | | median | least | most |");
      line("| --- | --- | ---: | ---: | ---: |");
      for (FigureResult.Row row : outcome.rows()) {
        line(
            "| %s | %s | %s | %s | %s |",
            row.contestant(),
            row.what(),
            row.unit().show(row.stats().median()),
            row.unit().show(row.stats().min()),
            row.unit().show(row.stats().max()));
      }
      line("");
    }
    outcome
        .absent()
        .forEach((name, why) -> {
          line("Not measured: %s: %s", name, why.lines().findFirst().orElse(""));
          line("");
        });
    for (Chart chart : outcome.charts()) {
      line("![%s](%s/%s.svg)", chart.title(), PLOTS, chart.name());
      line("");
    }
    profile(outcome);
    String note = written.on(figure.name());
    if (!note.isEmpty()) {
      line(note);
      line("");
    }
  }

  private void profile(FigureResult outcome) {
    Profile profile = outcome.profile();
    if (profile == null) {
      return;
    }
    line("Where our time goes (flight recording of all our processes, waiting left out):");
    line("");
    line("| part | method | system call |");
    line("| ---: | --- | --- |");
    for (Profile.Share share : profile.hottest()) {
      String call = share.call().isEmpty() ? "" : "`" + share.call() + "`";
      line("| %.0f %% | `%s` | %s |", 100 * share.part(), share.method(), call);
    }
    line("");
  }

  private void machine(Path folder) {
    line("## Machine and versions");
    line("");
    line("| | |");
    line("| --- | --- |");
    Machine.describe(folder).forEach((name, value) -> line("| %s | %s |", name, value));
    line("");
    line("## Method");
    line("");
    line(
        "Contestants run in turn, A B C A B C, each in processes of its own that live through all rounds;"
            + " who does not run waits without using CPU. The first round of each is thrown away, and five count unless a figure takes long; of *stream*, *writers*,"
            + " *fanout*, *mail* and the pull of *dialects* six are thrown away, because so long the JVMs' compilers take a good part"
            + " of the cores, and nine count. The tables"
            + " show medians, and the least and most of the rounds; a ratio is one of medians. All JVMs have the"
            + " same options, a heap of fixed size and the parallel collector. Files lie on the disk the checkout is on, in a new folder"
            + " for each round. Servers listen on loopback and keep their defaults unless said.");
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void line(String format, Object... values) {
    page.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
    page.append('\n');
  }
}
