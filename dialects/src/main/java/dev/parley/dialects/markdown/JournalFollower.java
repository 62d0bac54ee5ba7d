package dev.parley.dialects.markdown;

import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.FolderChanges;
import dev.parley.dialects.file.ForeignFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Returns every message of a journal once, as it arrives.
 *
 * <p>Some writers never end a message. Such a message is returned when the file has not changed for
 * {@link #PATIENCE}. If the journal was changed above the last message returned, it is read again
 * and only new messages are returned.
 */
public final class JournalFollower implements AutoCloseable {
  /** How long a message may stay without an end before it counts as complete. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The file is checked this often even if no change is reported. */
  private static final Duration SWEEP = Duration.ofSeconds(1);

  private static final int PROOF = 256;

  private final JournalFile file;
  private final FolderChanges changes = new FolderChanges();
  private final Set<String> given = new HashSet<>();

  /** How often each message was seen in the part of the file read so far. */
  private final Map<String, Integer> met = new HashMap<>();

  private final FileRemark.Sink remarks;
  private long offset;
  private int linesBefore;
  private byte[] proof = new byte[0];
  private long lastSize = -1;
  private long unchangedSince;

  /**
   * @param fromNow whether to skip the messages that exist already
   */
  public JournalFollower(JournalFile file, boolean fromNow, FileRemark.Sink remarks) {
    this.file = file;
    this.remarks = remarks;
    Path folder = file.path().toAbsolutePath().getParent();
    if (folder != null) {
      changes.watch(folder);
    }
    if (fromNow) {
      var _ = poll(false);
    }
  }

  /** Waits for messages; empty after {@link #close}. */
  public List<JournalMessage> next() throws InterruptedException {
    while (!changes.isClosed()) {
      List<JournalMessage> news = poll(true);
      if (!news.isEmpty()) {
        return news;
      }
      changes.await(SWEEP);
    }
    return List.of();
  }

  /** Returns what is new, without waiting. */
  List<JournalMessage> poll(boolean onlyClosed) {
    if (!Arrays.equals(proof, proofAt(offset))) {
      offset = 0;
      linesBefore = 0;
      met.clear();
    }
    byte[] added = ForeignFile.read(file.path(), offset);
    boolean settled = isSettled(offset + added.length);
    List<JournalMessage> news = new ArrayList<>();
    long read = 0;
    List<FileRemark> told = new ArrayList<>();
    Path path = file.path();
    List<LocatedMessage> found =
        JournalReader.read(
            added,
            linesBefore,
            (line, understood, reason) -> told.add(new FileRemark(path, line, understood, reason)));
    int lines = linesBefore;
    for (LocatedMessage placed : found) {
      if (!placed.closed() && onlyClosed && !settled) {
        break;
      }
      read = placed.end();
      // A repeated id is a new message, whether its content differs or not: readers of the whole
      // file see it that way too.
      String message = placed.message().toJson().toString();
      if (given.add(message + met.merge(message, 1, Integer::sum))) {
        news.add(placed.message());
      }
    }
    for (int i = 0; i < read; i++) {
      lines += added[i] == '\n' ? 1 : 0;
    }
    for (FileRemark remark : told) {
      if (remark.line() <= lines) {
        remarks.add(remark.line(), remark.understood(), remark.reason());
      }
    }
    linesBefore = lines;
    offset += read;
    proof = proofAt(offset);
    return news;
  }

  private boolean isSettled(long size) {
    long now = System.nanoTime();
    if (size != lastSize) {
      lastSize = size;
      unchangedSince = now;
    }
    return now - unchangedSince >= PATIENCE.toNanos();
  }

  /** The bytes just before an offset. If they have changed, anything before may have. */
  private byte[] proofAt(long at) {
    long from = Math.max(0, at - PROOF);
    return ForeignFile.read(file.path(), from, at - from);
  }

  @Override
  public void close() {
    changes.close();
  }
}
