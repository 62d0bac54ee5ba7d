package dev.parley.orchestration.plan;

/** Something in a plan that is wrong, and the line it is about. */
public record PlanProblem(int line, String what) {
  @Override
  public String toString() {
    return "line " + line + ": " + what;
  }
}
