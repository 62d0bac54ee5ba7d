package dev.parley.filelog.disk;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;

/** Describes a failed file operation: a code, what happened, and what to do next. */
public record IoErrors(String code, String what, String next) {
  public static IoErrors writing(Path path, IOException cause) {
    if (cause instanceof UnsafeFileException || isGone(cause)) {
      return describe("Writing", path, cause);
    }
    String reason = reason(cause);
    if (isDenied(cause)) {
      return new IoErrors(
          "not-writable",
          "The bus folder " + folder(path) + " can't be written to: " + reason + ".",
          "If this agent runs in a sandbox, let it write there. "
              + SandboxSettings.settings(folder(path)));
    }
    if (reason.contains("No space left") || reason.contains("quota")) {
      return new IoErrors(
          "disk-full",
          "Not stored: " + reason + " (" + path + ").",
          "Free some space, then send it again.");
    }
    return describe("Writing", path, cause);
  }

  public static ParleyException reading(Path path, IOException cause) {
    IoErrors trouble = describe("Reading", path, cause);
    return new ParleyException(
        ParleyException.Kind.FAILED, trouble.code, trouble.what, trouble.next, cause);
  }

  private static IoErrors describe(String action, Path path, IOException cause) {
    if (cause instanceof UnsafeFileException) {
      return new IoErrors(
          "unsafe-file",
          reason(cause) + ".",
          "A bus holds only regular files of its owner: move it away, then check the bus.");
    }
    if (cause instanceof SparseFileGuard.FoundException) {
      return new IoErrors(
          "not-a-topic",
          action + " " + path + " failed: " + reason(cause) + ".",
          "Somebody made it sparse, or the disk lost it: move it away, then check the bus.");
    }
    if (isGone(cause)) {
      return new IoErrors(
          "no-bus", "The bus folder " + folder(path) + " is gone.", ParleyException.NEXT_BY_CODE);
    }
    return new IoErrors(
        "io-error",
        action + " " + path + " failed: " + reason(cause) + ".",
        ParleyException.NEXT_BY_CODE);
  }

  private static Path folder(Path path) {
    return Objects.requireNonNullElse(path.getParent(), path);
  }

  private static boolean isGone(IOException cause) {
    return cause instanceof NoSuchFileException || cause instanceof NotDirectoryException;
  }

  private static boolean isDenied(IOException cause) {
    String reason = reason(cause);
    return cause instanceof AccessDeniedException
        || reason.contains("Read-only file system")
        || reason.contains("Operation not permitted")
        || reason.contains("Permission denied");
  }

  /** The system's reason without the path, which our message names already. */
  public static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason =
        cause instanceof FileSystemException known && known.getReason() != null
            ? known.getReason()
            : cause.getMessage();
    return reason == null ? cause.getClass().getSimpleName() : reason;
  }
}
