package dev.parley.cli.args;

/** The groups of commands in the help. */
public enum Group {
  EVERYDAY("Everyday"),
  COORDINATE("Coordinate"),
  LOOK_BACK("Look back"),
  CONNECT("Connect"),
  RUN("Run"),
  /** Low-level steps for scripts; listed only if all commands are asked for. */
  PLUMBING("Plumbing"),
  /** For programs, not people; never listed. */
  HIDDEN("");

  private final String title;

  Group(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
