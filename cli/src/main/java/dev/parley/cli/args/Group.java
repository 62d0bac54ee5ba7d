package dev.parley.cli.args;

/** Where a command stands in the help. */
public enum Group {
  EVERYDAY("Everyday"),
  COORDINATE("Coordinate"),
  LOOK_BACK("Look back"),
  CONNECT("Connect"),
  RUN("Run"),
  /** The single steps that scripts are made of; listed only when all is asked for. */
  PLUMBING("Plumbing"),
  /** Not for people; never listed. */
  HIDDEN("");

  private final String title;

  Group(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
