package dev.parley.bench;

import dev.parley.bench.measure.Bar.Verdict;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.report.Results;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** Measures figures one after the other and writes the results. */
public final class Bench {
  private static final int USAGE = 2;

  private Bench() {}

  public static void main(String[] args) throws Exception {
    Options options;
    try {
      options = Options.parse(args);
    } catch (Options.UsageException e) {
      System.err.println("parley-bench: " + e.getMessage() + "\n" + Options.USAGE);
      System.exit(USAGE);
      return;
    }
    if (options.list()) {
      for (Figure figure : options.figures()) {
        System.out.printf("%-10s %s%n", figure.name(), figure.title());
      }
      return;
    }
    run(options);
  }

  private static void run(Options options) throws Exception {
    Path module = Path.of(System.getProperty("parley.root", ".")).resolve("bench");
    Path target = module.resolve("target");
    Path usual = (options.isWhole() ? module : target).resolve("RESULTS.md");
    Path out = Objects.requireNonNullElse(options.out(), usual);
    Results results = new Results(options.quick(), module.resolve("NOTES.md"));
    for (Figure figure : options.figures()) {
      results.add(figure, measure(figure, target, options.quick()));
      results.write(out); // after each figure, so that an interrupted run leaves what it has
    }
    System.err.println("written: " + out);
  }

  private static FigureResult measure(Figure figure, Path target, boolean quick) throws Exception {
    System.err.print(figure.name() + " ");
    long from = System.nanoTime();
    FigureResult outcome = new FigureResult();
    try (Lab lab = Lab.open(target, quick)) {
      figure.measure(lab, outcome);
    } catch (Exception e) {
      // One figure that fails shall not take the others with it.
      e.printStackTrace();
      outcome.absent(figure.title(), String.valueOf(e.getMessage()));
    }
    System.err.println(" " + Duration.ofNanos(System.nanoTime() - from).toSeconds() + " s");
    for (Verdict verdict : outcome.verdicts()) {
      System.err.printf(
          "  %-45s %-45s %12s  %s%n",
          verdict.bar().what(),
          verdict.bar().describe(),
          verdict.value(),
          verdict.outcome().replace("*", ""));
    }
    outcome
        .absent()
        .forEach((name, why) -> System.err.println("  not measured: " + name + ": " + why));
    return outcome;
  }
}
