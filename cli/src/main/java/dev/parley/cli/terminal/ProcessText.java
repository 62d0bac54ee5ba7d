package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the process was given as text: arguments, variables, the working folder. A JVM decodes them
 * by its locale and replaces what it can't decode without a word, so whatever was replaced is
 * refused here: stored or used as a path it would be something else.
 *
 * <p>The launcher gives the JVM a UTF-8 locale. Then only bytes that are no UTF-8 are lost; in any
 * other locale everything beyond ASCII may be.
 */
public final class ProcessText {
  /** Set by the launcher when the working folder was deleted. */
  private static final String FOLDER_GONE = "parley.folder-gone";

  private static final char REPLACEMENT = '\ufffd';
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final Path WORKING_FOLDER = Path.of("/proc/self/cwd");

  private final String encoding;
  private final boolean utf8;

  private ProcessText(String encoding) {
    this.encoding = encoding;
    this.utf8 = encoding.equals("UTF-8");
  }

  /** Why the process's arguments or environment can't be used; null if they can. */
  public static @Nullable ParleyException trouble(String[] args, Map<String, String> environment) {
    if (System.getProperty(FOLDER_GONE) != null) {
      return ParleyException.refused(
          "no-working-folder",
          "The folder you are in was deleted.",
          "Change to an existing folder with cd and try again.");
    }
    ProcessText text = new ProcessText(System.getProperty("sun.jnu.encoding", "UTF-8"));
    ParleyException trouble = text.arguments(args);
    trouble = trouble != null ? trouble : text.variables(environment);
    return trouble != null ? trouble : text.folder(System.getProperty("user.dir", ""));
  }

  private @Nullable ParleyException arguments(String[] args) {
    for (int i = 0; i < args.length; i++) {
      if (isDoubtful(args[i]) && !isWritten(args[i], i - args.length)) {
        return refused(
            "Argument " + (i + 1),
            "Give the text in UTF-8; a body can be read from stdin: --body -.");
      }
    }
    return null;
  }

  private @Nullable ParleyException variables(Map<String, String> environment) {
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (isOurs(variable.getKey()) && isDoubtful(variable.getValue())) {
        return refused("The variable " + variable.getKey(), "Set it to text in UTF-8.");
      }
    }
    return null;
  }

  private static boolean isOurs(String variable) {
    return variable.startsWith("PARLEY_")
        || variable.equals("BUS_DIR")
        || variable.equals("HOME")
        || variable.equals("XDG_STATE_HOME");
  }

  private @Nullable ParleyException folder(String folder) {
    if (!isDoubtful(folder)) {
      return null;
    }
    try {
      if (utf8 && Files.isSameFile(WORKING_FOLDER, Path.of(folder))) {
        return null;
      }
    } catch (IOException | InvalidPathException e) {
      // The decoded name does not exist.
    }
    return refused("The path of the folder you are in", "Rename the folder, or use another one.");
  }

  private boolean isDoubtful(String text) {
    if (utf8) {
      return text.indexOf(REPLACEMENT) >= 0;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7f) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether an argument was given in the very bytes that it has in UTF-8, as one with a replacement
   * character of its own is.
   *
   * @param fromEnd -1 for the last argument
   */
  private boolean isWritten(String text, int fromEnd) {
    try {
      byte[] line = utf8 ? Files.readAllBytes(COMMAND_LINE) : new byte[0];
      int end = line.length;
      for (int i = -1; i > fromEnd && end > 0; i--) {
        end = start(line, end - 1);
      }
      return end > 0
          && Arrays.equals(
              Arrays.copyOfRange(line, start(line, end - 1), end - 1),
              text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      return false;
    }
  }

  /** The beginning of the argument whose zero byte is at {@code end}. */
  private static int start(byte[] line, int end) {
    int start = end;
    while (start > 0 && line[start - 1] != 0) {
      start--;
    }
    return start;
  }

  private ParleyException refused(String what, String next) {
    return utf8
        ? ParleyException.invalid("not-utf8", what + " is not text in UTF-8.", next)
        : ParleyException.invalid(
            "not-utf8",
            what + " can't be read: this locale's encoding is " + encoding + ".",
            "Set LC_ALL to a UTF-8 locale that is installed; locale -a lists them.");
  }
}
