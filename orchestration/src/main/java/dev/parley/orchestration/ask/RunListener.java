package dev.parley.orchestration.ask;

/** Receives the events of a run. Called by the threads that cause them, one at a time. */
public interface RunListener {
  RunListener NONE = event -> {};

  void on(RunEvent event);
}
