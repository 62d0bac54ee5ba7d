package dev.parley.dialects.conductor;

import dev.parley.core.ParleyException;
import dev.parley.dialects.file.FolderChanges;
import dev.parley.dialects.file.ForeignFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The files by which tools signal events to each other: {@code events/<name>.event}. */
public final class EventFiles {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final List<Path> folders;

  /**
   * @param buses Conductor folders
   */
  public EventFiles(List<Path> buses) {
    this.folders = buses.stream().map(bus -> bus.resolve("events")).toList();
  }

  /**
   * Waits for a file whose name matches a shell pattern, such as {@code TASK_COMPLETE_*.event}. A
   * file that is already there counts, as in Conductor.
   *
   * @return null after the timeout
   * @throws ParleyException INVALID if the pattern is malformed
   */
  public @Nullable Path await(String pattern, Duration atMost) throws InterruptedException {
    return FolderChanges.await(folders, INTERVAL, atMost, () -> find(pattern));
  }

  private @Nullable Path find(String pattern) {
    for (Path folder : folders) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
        Iterator<Path> found = files.iterator();
        if (found.hasNext()) {
          return found.next();
        }
      } catch (NoSuchFileException e) {
        // No folder yet, so no event.
      } catch (PatternSyntaxException e) {
        throw ParleyException.invalid(
            "bad-pattern",
            "\"" + pattern + "\" is not a pattern: " + e.getDescription() + ".",
            "Write TASK_COMPLETE_1.1.event, or TASK_COMPLETE_*.event.");
      } catch (IOException e) {
        throw ForeignFile.trouble("Reading", folder, e);
      }
    }
    return null;
  }
}
