package dev.parley.session;

import org.jspecify.annotations.Nullable;

/**
 * A process of this machine, written {@code <namespace>-<pid>-<start>}.
 *
 * @param namespace the pid namespace to which the pid belongs
 * @param start when it started, in units of the system; tells apart processes that reuse a pid
 */
record ProcessKey(String namespace, long pid, long start) {
  static @Nullable ProcessKey parse(String text) {
    String[] parts = text.split("-", -1);
    try {
      return parts.length == 3
          ? new ProcessKey(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]))
          : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return namespace + "-" + pid + "-" + start;
  }
}
