package dev.parley.filelog.disk;

import java.io.IOException;
import java.nio.file.Path;

/** An entry in a bus folder is not what it must be: a link, a pipe, or another user's file. */
public final class UnsafeFileException extends IOException {
  private static final long serialVersionUID = 1L;

  UnsafeFileException(Path path, String problem) {
    super(path + " " + problem);
  }
}
