package dev.parley.dialects.sync;

import dev.parley.dialects.file.FileRemark;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps the files of a mounted tool and the log in step, under that tool's own locking rules.
 *
 * <p>A pass takes what is new in the files into the log, and what the log has for them into the
 * files. A pass may be killed at any instruction: the next one completes its work and repeats
 * nothing.
 */
public interface Mirror {
  /** The folders to watch. */
  List<Path> folders();

  /** Agents whose mail is in these files even if they are on the bus themselves. */
  default List<String> holders() {
    return List.of();
  }

  void exchange(SyncPass pass);

  /** Entries that were taken for read and not delivered, but can be on request. */
  default Set<String> recallable(MirrorState state) {
    return state.past();
  }

  /** How many bytes of the files are unread; 0 if unknown. */
  default long unread(MirrorState state) {
    return 0;
  }

  /** Reads all of the files and reports what can't be read. Changes nothing. */
  void examine(Consumer<FileRemark> remarks);
}
