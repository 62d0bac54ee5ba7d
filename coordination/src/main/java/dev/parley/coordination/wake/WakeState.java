package dev.parley.coordination.wake;

import java.util.Locale;

/** How far an attempt to wake an agent has come. */
public enum WakeState {
  REQUESTED,
  /** The host has the notice. Whether it did anything is not known. */
  DELIVERED,
  /** The agent has acted since the notice. */
  WOKEN,
  FAILED,
  /** A limit forbade the attempt. */
  REFUSED;

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isOpen() {
    return this == REQUESTED || this == DELIVERED;
  }
}
