package dev.parley.dialects.file;

import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a file that programs without a lock may write at the same moment. The replaced file is
 * kept, so that nothing those programs wrote is lost.
 *
 * <pre>
 * another program                    what happens to its text
 * ---------------------------------  ------------------------------------------------------------
 * wrote before the last check        the file is not replaced; the caller reads it again
 * writes into the replaced file      it is in the kept file
 * renames another file over it       it is in the kept file if two files can be exchanged
 *   just before we replace it          atomically (in a bridge, on Linux); otherwise it is lost if
 *                                      the rename came in the microseconds between the last check
 *                                      and ours
 * renames another file over ours     it is in the file
 * </pre>
 *
 * <p>One case remains: a program opens the file just before the replacement, and truncates and
 * writes it only after the caller has read the kept file.
 */
public final class FileExchange {
  private FileExchange() {}

  /**
   * Replaces a file if it still holds the expected content.
   *
   * @param announced called with the temporary file before the last check; while that file exists,
   *     the file was not replaced. May be null
   * @return the replaced file, which programs that have it open may still write to and which the
   *     caller deletes; null if the file was left, together with the announced temporary file
   */
  public static @Nullable Path replace(
      Path file, byte[] content, byte[] expected, @Nullable Consumer<Path> announced) {
    Path temporary = ForeignFile.temporary(file);
    try {
      ForeignFile.write(temporary, content);
      ForeignFile.keepMode(file, temporary);
      if (announced != null) {
        announced.accept(temporary);
      }
      Path kept = keep(file, expected);
      if (!Arrays.equals(expected, ForeignFile.read(file))) {
        Files.delete(kept);
        if (announced == null) {
          Files.delete(temporary);
        }
        return null;
      }
      if (announced == null && areExchanged(temporary, file)) {
        Files.delete(kept);
        return temporary;
      }
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return kept;
    } catch (IOException e) {
      throw ForeignFile.trouble("Writing", file, e);
    }
  }

  /** Gives the file a second name, so that its content survives the replacement. */
  private static Path keep(Path file, byte[] expected) throws IOException {
    Path kept = ForeignFile.temporary(file);
    try {
      return Files.createLink(kept, file);
    } catch (IOException | UnsupportedOperationException e) {
      ForeignFile.write(kept, expected); // there is no file yet, or no hard links here
      return kept;
    }
  }

  private static boolean areExchanged(Path temporary, Path file) {
    if (!SystemCalls.areAllowed()) {
      return false;
    }
    try {
      SystemCalls.exchange(temporary, file);
      return true;
    } catch (IOException e) {
      return false; // not on this file system, or there is no file yet
    }
  }
}
