package dev.parley.bench.carrier;

import java.io.Closeable;
import java.util.function.LongConsumer;

/** One system that carries messages. A place is a folder or {@code port/name} on a server. */
public interface Carrier {
  /** For {@link #sender}: as fast as the system takes them, without waiting for each. */
  int ASYNCHRONOUS = 0;

  static Carrier named(String name) {
    return switch (name) {
      case "parley" -> new ParleyCarrier();
      case "bare" -> new Bare(true);
      case "write" -> new Bare(false);
      case "chronicle" -> new Chronicle();
      case "redis" -> new Redis();
      case "jetstream" -> new JetStreams();
      case "sqlite" -> new Sqlite();
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * Opens a place for sending.
   *
   * @param batch how many messages are stored together before the next are; 1: each by itself
   */
  Sender sender(String place, int batch) throws Exception;

  /** Opens a place for taking everything in it, and everything to come, as fast as possible. */
  default Counter counter(String place) throws Exception {
    throw new UnsupportedOperationException(place);
  }

  /** Calls back with the stamp of every message to come, on another thread, until closed. */
  default Closeable listener(String place, LongConsumer onStamp) throws Exception {
    throw new UnsupportedOperationException(place);
  }

  /** Sends messages of 200 bytes. */
  interface Sender extends Closeable {
    void send(long stamp) throws Exception;

    /** Returns when all that was sent is stored. */
    void flush() throws Exception;
  }

  /** Takes messages without looking into them. */
  interface Counter extends Closeable {
    /** Waits for messages and takes some; says how many. */
    long take() throws Exception;
  }
}
