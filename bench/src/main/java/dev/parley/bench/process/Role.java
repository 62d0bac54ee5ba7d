package dev.parley.bench.process;

/** What a process does when it gets a cue. Has a constructor without parameters. */
public interface Role {
  /** Does what the cue says; called on one thread, one cue at a time. */
  void play(Cue cue, Stage stage) throws Exception;
}
