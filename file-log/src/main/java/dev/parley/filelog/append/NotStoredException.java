package dev.parley.filelog.append;

import dev.parley.core.ParleyException;
import dev.parley.filelog.disk.IoErrors;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A chunk is not, or not for certain, in its topic. */
final class NotStoredException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean unknown;
  private final transient IoErrors trouble;

  private NotStoredException(boolean unknown, IoErrors trouble, @Nullable IOException cause) {
    super(trouble.what(), cause);
    this.unknown = unknown;
    this.trouble = trouble;
  }

  /** It is certain that the lines missing from the chunk are not in the topic. */
  static NotStoredException failed(Path path, IOException cause) {
    return new NotStoredException(false, IoErrors.writing(path, cause), cause);
  }

  static NotStoredException unknown(Path path, @Nullable IOException cause) {
    String why = cause == null ? "the write was cut short" : IoErrors.reason(cause);
    return new NotStoredException(
        true,
        new IoErrors(
            "unknown-outcome",
            "Whether the message is in " + path.getFileName() + " can't be told: " + why + ".",
            ParleyException.NEXT_BY_CODE),
        cause);
  }

  /** Some lines are there, and others after them perhaps not. */
  static NotStoredException unknown(Path path, NotStoredException cause) {
    return unknown(path, new IOException(cause.trouble().what(), cause));
  }

  /** The lines were written but are not there: someone changed the file under us. */
  static NotStoredException changed(Path path) {
    return unknown(path, new IOException("the file was changed while it was written to"));
  }

  static NotStoredException changing(Path path) {
    return unknown(path, new IOException("the file is replaced or broken into again and again"));
  }

  /** Something that is no trouble of the disk's ended the append. */
  static NotStoredException broken(Path path, Throwable cause) {
    return unknown(path, new IOException(cause.toString(), cause));
  }

  /** The disk did not confirm it: it is in the topic now, but may not survive. */
  static NotStoredException notSynced(Path path, IOException cause) {
    return new NotStoredException(true, syncTrouble(path, cause, "Whether it lasts"), cause);
  }

  /** An earlier sync failed, so nothing was written. */
  static NotStoredException poisoned(Path path, IOException cause) {
    return new NotStoredException(
        false, syncTrouble(path, cause, "Whether what was written before lasts"), cause);
  }

  private static IoErrors syncTrouble(Path path, IOException cause, String what) {
    return new IoErrors(
        "sync-failed",
        "The disk did not confirm "
            + path.getFileName()
            + ": "
            + IoErrors.reason(cause)
            + ". "
            + what
            + " can't be told.",
        "Check the disk, then open the bus again; until then nothing is written to this topic.");
  }

  boolean isUnknown() {
    return unknown;
  }

  IoErrors trouble() {
    return trouble;
  }
}
