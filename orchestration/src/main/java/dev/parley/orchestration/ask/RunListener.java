package dev.parley.orchestration.ask;

/** Is told what happens in a run, by the threads it happens on, one at a time. */
public interface RunListener {
  RunListener NONE = event -> {};

  void on(RunEvent event);
}
