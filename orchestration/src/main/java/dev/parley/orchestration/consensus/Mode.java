package dev.parley.orchestration.consensus;

/** What a consensus is about. */
public enum Mode {
  CODE_REVIEW("code-review"),
  GENERAL_PROMPT("general-prompt");

  private final String word;

  Mode(String word) {
    this.word = word;
  }

  /** How it is typed. */
  public String word() {
    return word;
  }
}
