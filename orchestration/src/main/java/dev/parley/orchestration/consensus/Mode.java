package dev.parley.orchestration.consensus;

/** What a consensus is about. */
public enum Mode {
  CODE_REVIEW("code-review"),
  GENERAL_PROMPT("general-prompt");

  private final String word;

  Mode(String word) {
    this.word = word;
  }

  /** The name on the command line. */
  public String word() {
    return word;
  }
}
