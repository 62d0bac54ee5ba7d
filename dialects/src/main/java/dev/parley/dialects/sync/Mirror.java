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
 * files. It may be interrupted at any instruction: the next one does the rest, and nothing twice.
 */
public interface Mirror {
  /** Where a change may mean news. */
  List<Path> folders();

  /** Agents whose mail stands in these files whether they are on the bus themselves or not. */
  default List<String> holders() {
    return List.of();
  }

  void exchange(SyncPass pass);

  /** What was not put where it belongs because it counts as read, and can be on demand. */
  default Set<String> recallable(MirrorState state) {
    return state.past();
  }

  /** How many bytes of the files were not read yet; 0 if that can't be told. */
  default long unread(MirrorState state) {
    return 0;
  }

  /** Reads all of the files and says what can't be read. Changes nothing. */
  void examine(Consumer<FileRemark> remarks);
}
