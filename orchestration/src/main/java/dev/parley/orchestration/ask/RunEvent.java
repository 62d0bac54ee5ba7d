package dev.parley.orchestration.ask;

/** What happens in a run, for whoever shows it. */
public sealed interface RunEvent {
  /**
   * An agent was asked.
   *
   * @param number counts the asks of a run from 1
   */
  record Asked(int number, String agent, String stage) implements RunEvent {}

  /**
   * An ask is over.
   *
   * @param known whether the answer was there already, from before the run was resumed
   */
  record Answered(int number, String stage, Answer answer, boolean known) implements RunEvent {}

  /** Something that people want to know, such as that a debate is skipped. */
  record Said(String text) implements RunEvent {}
}
