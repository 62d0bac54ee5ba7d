package dev.parley.core.store;

import dev.parley.core.Log;
import dev.parley.core.bus.Bus;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.memory.MemoryStore;

/**
 * All that a bus keeps: the log, and beside it what is read again, is too long for a line, or
 * belongs to a session. A folder is a store, memory is one, a server can be one; nothing above
 * knows which.
 *
 * <p>Only the log is the truth. Views and cursors that are lost cost time or bring an envelope
 * again; contents that are lost are reported as missing; a secret that is lost ends its session in
 * silence.
 */
public interface Store extends AutoCloseable {
  /** The topics. */
  Log log();

  /** The saved states of folds. */
  Views views();

  /** The bodies that are too long for a line. */
  Contents contents();

  /** The places of named subscriptions. */
  Cursors cursors();

  /** The secrets of sessions. */
  SessionSecrets secrets();

  /** How many messages that nobody waits for may pile up before {@link Bus#publishAsync} waits. */
  default int maxPending() {
    return Bus.DEFAULT_PENDING;
  }

  /** Closes the log. What was acknowledged stays. */
  @Override
  void close();

  /** A store in this process, for this process. */
  static Store inMemory() {
    return new MemoryStore(
        new MemoryLog(),
        Views.inMemory(),
        Contents.inMemory(Contents.DEFAULT_LIMIT),
        Cursors.inMemory(),
        SessionSecrets.inMemory());
  }
}
