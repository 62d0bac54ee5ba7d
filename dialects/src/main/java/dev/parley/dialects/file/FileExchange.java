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
 * another program                    what becomes of its text
 * ---------------------------------  ------------------------------------------------------------
 * wrote before the last look         the file is left, and read again
 * writes into the replaced file      it is in the file that was kept
 * renames a file of its own over     it is in the file that was kept, if two files can be exchanged
 *   it, just before we replace it      in one step (a bridge, on Linux); otherwise it is lost if it
 *                                      came between the last look and the rename, some microseconds
 * renames it over ours, afterwards   it stands in the file
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
   * @param announced called with the temporary file before the last look; while that file exists,
   *     the file was not replaced. Null if nobody needs to know
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
