package dev.parley.session;

import dev.parley.core.ParleyException;

/** Another place uses the name, and its process is running. */
public final class NameInUseException extends ParleyException {
  private static final long serialVersionUID = 1L;

  NameInUseException(String name, SessionPlace place) {
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
  }
}
