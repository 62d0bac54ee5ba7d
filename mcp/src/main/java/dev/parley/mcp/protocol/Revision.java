package dev.parley.mcp.protocol;

import java.util.List;

/** The revisions of the protocol that are spoken, the newest first. */
public final class Revision {
  /** Every request says its revision; there is no handshake and no connection. */
  public static final String STATELESS = "2026-07-28";

  /** The newest revision that begins with a handshake. */
  public static final String HANDSHAKE = "2025-11-25";

  public static final List<String> ALL = List.of(STATELESS, HANDSHAKE, "2025-06-18");

  private Revision() {}

  /** The revision agreed on in a handshake: the client's if it is known, otherwise ours. */
  static String agreed(String wanted) {
    return isHandshake(wanted) ? wanted : HANDSHAKE;
  }

  /** Whether a revision begins with a handshake and is spoken. */
  public static boolean isHandshake(String revision) {
    return ALL.contains(revision) && !revision.equals(STATELESS);
  }
}
