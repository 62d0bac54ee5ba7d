package dev.parley.filelog.append;

import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.IoErrors;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A batch was not stored, or may not have been. */
final class NotStoredException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean unknown;
  private final transient IoErrors trouble;

  private NotStoredException(boolean unknown, IoErrors trouble, @Nullable IOException cause) {
    super(trouble.what(), cause);
    this.unknown = unknown;
    this.trouble = trouble;
  }

  /** The lines that the batch does not count as stored are certainly not in the topic. */
  static NotStoredException failed(Path path, IOException cause) {
    return new NotStoredException(false, IoErrors.writing(path, cause), cause);
  }

  static NotStoredException unknown(Path path, @Nullable IOException cause) {
    String why = cause == null ? "the write was cut short" : IoErrors.reason(cause);
    return new NotStoredException(
        true,
        new IoErrors(
            "unknown-outcome",
            "It is not known whether the message is in " + path.getFileName() + ": " + why + ".",
            ParleyException.NEXT_BY_CODE),
        cause);
  }

  /** It is not known whether the remaining lines are in the topic. */
  static NotStoredException unknown(Path path, NotStoredException cause) {
    return unknown(path, new IOException(cause.trouble().what(), cause));
  }

  /** The lines were written but are not there: another program changed the file. */
  static NotStoredException changed(Path path) {
    return unknown(path, new IOException("the file was changed while it was written to"));
  }

  static NotStoredException changing(Path path) {
    return unknown(path, new IOException("the file is replaced or broken into again and again"));
  }

  /** The append ended for a reason other than the disk. */
  static NotStoredException broken(Path path, Throwable cause) {
    return unknown(path, new IOException(cause.toString(), cause));
  }

  /** The sync failed: the lines are in the topic now but may not survive a power failure. */
  static NotStoredException notSynced(Path path, IOException cause) {
    return new NotStoredException(true, syncTrouble(path, cause, "whether it survives"), cause);
  }

  /** An earlier sync failed, so nothing was written. */
  static NotStoredException poisoned(Path path, IOException cause) {
    return new NotStoredException(
        false, syncTrouble(path, cause, "whether earlier messages survive"), cause);
  }

  private static IoErrors syncTrouble(Path path, IOException cause, String what) {
    return new IoErrors(
        "sync-failed",
        "The disk did not confirm "
            + path.getFileName()
            + ": "
            + IoErrors.reason(cause)
            + ". It is not known "
            + what
            + ".",
        "Check the disk, then open the bus again; until then nothing is written to this topic.");
  }

  boolean isUnknown() {
    return unknown;
  }

  IoErrors trouble() {
    return trouble;
  }
}
