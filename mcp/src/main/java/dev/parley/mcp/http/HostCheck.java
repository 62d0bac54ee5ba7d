package dev.parley.mcp.http;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Protects against DNS rebinding: accepts requests that use a name of this machine, and rejects
 * those of a web page whose own name leads here.
 *
 * <p>The port is not checked: it may be forwarded, and it does not help a page to choose the name.
 */
public final class HostCheck {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Set<String> allowed = new HashSet<>(LOOPBACK);

  /**
   * Creates a check for the usual names and some more.
   *
   * @param more further allowed names, such as that of a container
   */
  public HostCheck(List<String> more) {
    more.forEach(name -> allowed.add(name.toLowerCase(Locale.ROOT)));
  }

  /** Whether a request has exactly one {@code Host} header, with an allowed name. */
  public boolean isHost(@Nullable List<String> values) {
    return values != null && values.size() == 1 && isAllowed(values.getFirst());
  }

  /** Whether a request has no {@code Origin} header, or an allowed one. */
  public boolean isOrigin(@Nullable List<String> values) {
    if (values == null || values.isEmpty()) {
      return true; // not from a browser
    }
    if (values.size() > 1) {
      return false;
    }
    String origin = values.getFirst();
    for (String scheme : List.of("http://", "https://")) {
      if (origin.startsWith(scheme)) {
        return isAllowed(origin.substring(scheme.length()));
      }
    }
    return false;
  }

  private boolean isAllowed(String hostAndPort) {
    String text = hostAndPort.toLowerCase(Locale.ROOT);
    int colon = text.startsWith("[") ? text.indexOf(':', text.indexOf(']') + 1) : text.indexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    return allowed.contains(host) && (colon < 0 || isPort(text.substring(colon + 1)));
  }

  private static boolean isPort(String text) {
    return !text.isEmpty()
        && text.length() <= 5
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
