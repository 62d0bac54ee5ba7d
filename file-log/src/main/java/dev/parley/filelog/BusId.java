package dev.parley.filelog;

import dev.parley.core.writer.WriterId;

/** The random id of a bus: 16 characters {@code a-z2-7}, 80 bits, as {@code bus.json} has it. */
public final class BusId {
  private static final int LEAST = 16;
  private static final int MOST = 64;

  private BusId() {}

  public static String random() {
    return WriterId.random().toString();
  }

  /** Whether it has the form of one, and so can be the name of a file. */
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
