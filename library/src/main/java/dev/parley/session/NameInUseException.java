package dev.parley.session;

import dev.parley.core.ParleyException;

/** A name is in use elsewhere, by a process that runs. */
public final class NameInUseException extends ParleyException {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final long pid;
  private final String tree;

  NameInUseException(String name, Place place) {
    super(
        Kind.REFUSED,
        "name-taken",
        name
            + " is here already: process "
            + place.anchor().pid()
            + " uses this name"
            + (place.tree().isEmpty() ? "" : " in " + place.tree())
            + ".",
        "Use another name, end that process, or take the name over, which ends what that one"
            + " holds: parley join --take-over --as "
            + name);
    this.name = name;
    this.pid = place.anchor().pid();
    this.tree = place.tree();
  }

  public String name() {
    return name;
  }

  /** The process that uses it. */
  public long pid() {
    return pid;
  }

  /** The working tree that it is used in; empty if that is not known. */
  public String tree() {
    return tree;
  }
}
