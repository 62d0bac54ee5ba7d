package dev.parley.orchestration.ask;

/** An event in a run, for display. */
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
   * @param known whether the answer was recorded before the run was resumed
   */
  record Answered(int number, String stage, Answer answer, boolean known) implements RunEvent {}

  /** A remark for people, such as that a debate is skipped. */
  record Said(String text) implements RunEvent {}
}
