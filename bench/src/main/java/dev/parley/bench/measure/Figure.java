package dev.parley.bench.measure;

/** One question, and how it is answered. */
public interface Figure {
  /** What {@code --only} calls it. */
  String name();

  String title();

  /** What exactly is measured, for whoever reads the results. */
  String method();

  void measure(Lab lab, FigureResult outcome) throws Exception;
}
