package dev.parley.orchestration.plan;

/** An error in a plan, with its line. */
public record PlanProblem(int line, String what) {
  @Override
  public String toString() {
    return "line " + line + ": " + what;
  }
}
