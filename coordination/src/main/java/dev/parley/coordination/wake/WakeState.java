package dev.parley.coordination.wake;

import java.util.Locale;

/** How far an attempt to wake an agent has come. */
public enum WakeState {
  REQUESTED,
  /** The host has the notice; whether it did anything is not known. */
  DELIVERED,
  /** The agent has acted since. */
  WOKEN,
  FAILED,
  /** A limit forbade it. */
  REFUSED;

  /** How it is written: in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isOpen() {
    return this == REQUESTED || this == DELIVERED;
  }
}
