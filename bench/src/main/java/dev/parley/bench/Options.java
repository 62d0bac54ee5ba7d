package dev.parley.bench;

import dev.parley.bench.figure.Figures;
import dev.parley.bench.measure.Figure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param out null: where a run of this kind belongs
 */
record Options(List<Figure> figures, boolean quick, boolean list, @Nullable Path out) {
  static final String USAGE =
      """
      usage: ./parley-bench [--only name,...] [--quick] [--list] [--out file]
        --only   measure these figures only
        --quick  tiny sizes, to see that everything runs
        --list   say which figures there are
        --out    where the results go: bench/RESULTS.md for a whole run, else bench/target/RESULTS.md\
      """;

  /** The command line can't be understood. */
  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }

  static Options parse(String[] args) throws UsageException {
    List<Figure> figures = Figures.ALL;
    boolean quick = false;
    boolean list = false;
    Path out = null;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--only" -> figures = figures(value(args, ++i));
        case "--quick" -> quick = true;
        case "--list" -> list = true;
        case "--out" -> out = Path.of(value(args, ++i)).toAbsolutePath();
        default -> throw new UsageException("unknown option " + args[i]);
      }
    }
    return new Options(figures, quick, list, out);
  }

  private static String value(String[] args, int at) throws UsageException {
    if (at >= args.length) {
      throw new UsageException(args[at - 1] + " needs a value");
    }
    return args[at];
  }

  private static List<Figure> figures(String names) throws UsageException {
    List<Figure> figures = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      figures.add(
          Figures.ALL.stream()
              .filter(figure -> figure.name().equals(name))
              .findFirst()
              .orElseThrow(() -> new UsageException("there is no figure " + name)));
    }
    return figures;
  }

  /** Whether the results are complete and serious. */
  boolean isWhole() {
    return !quick && figures.size() == Figures.ALL.size();
  }
}
