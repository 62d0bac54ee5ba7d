package dev.parley.mcp.protocol;

import java.util.List;

/** The supported revisions of the protocol, newest first. */
public final class Revision {
  /** Every request states its revision; there is no handshake and no connection. */
  public static final String STATELESS = "2026-07-28";

  /** The newest revision that begins with a handshake. */
  public static final String HANDSHAKE = "2025-11-25";

  public static final List<String> ALL = List.of(STATELESS, HANDSHAKE, "2025-06-18");

  private Revision() {}

  /** The revision for a handshake: the client's if it is supported, otherwise our newest. */
  static String agreed(String wanted) {
    return isHandshake(wanted) ? wanted : HANDSHAKE;
  }

  /** Whether a revision is supported and begins with a handshake. */
  public static boolean isHandshake(String revision) {
    return ALL.contains(revision) && !revision.equals(STATELESS);
  }
}
