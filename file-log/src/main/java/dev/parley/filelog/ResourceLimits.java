package dev.parley.filelog;

import dev.parley.core.ParleyException;
import dev.parley.core.bus.Bus;
import java.util.Map;

/**
 * Limits on the open files and the memory that one process uses for a bus. They come from the
 * environment of the process.
 *
 * @param appended how many topics stay open for appending ({@code PARLEY_OPEN_TOPICS})
 * @param read how many topics stay open for reading ({@code PARLEY_READ_TOPICS})
 * @param pending how many asynchronously published messages may be pending ({@code
 *     PARLEY_MAX_PENDING})
 */
public record ResourceLimits(int appended, int read, int pending) {
  private static final int MOST = 1 << 24;

  public static final ResourceLimits DEFAULT = new ResourceLimits(256, 64, Bus.DEFAULT_PENDING);

  /** The settings of the environment. */
  public static ResourceLimits from(Map<String, String> environment) {
    return new ResourceLimits(
        number(environment, "PARLEY_OPEN_TOPICS", DEFAULT.appended),
        number(environment, "PARLEY_READ_TOPICS", DEFAULT.read),
        number(environment, "PARLEY_MAX_PENDING", DEFAULT.pending));
  }

  private static int number(Map<String, String> environment, String name, int otherwise) {
    String text = environment.getOrDefault(name, "").trim();
    if (text.isEmpty()) {
      return otherwise;
    }
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      number = 0;
    }
    if (number < 1 || number > MOST) {
      throw ParleyException.invalid(
          "bad-setting",
          name + "=" + text + " is not a number from 1 to " + MOST + ".",
          "Set it to such a number, or unset it.");
    }
    return number;
  }
}
