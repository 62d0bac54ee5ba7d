package dev.parley.filelog;

import dev.parley.core.writer.WriterId;

/** The random id of a bus, stored in {@code bus.json}: 16 characters {@code a-z2-7}, 80 bits. */
public final class BusId {
  private static final int LEAST = 16;
  private static final int MOST = 64;

  private BusId() {}

  public static String random() {
    return WriterId.random().toString();
  }

  /** Whether a string has the form of an id, and is therefore safe as a file name. */
  public static boolean isValid(String id) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (!(c >= 'a' && c <= 'z') && !(c >= '2' && c <= '7')) {
        return false;
      }
    }
    return id.length() >= LEAST && id.length() <= MOST;
  }
}
