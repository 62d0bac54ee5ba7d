package dev.parley.bench.measure;

import java.io.Closeable;
import java.io.IOException;

/** One way of doing what a figure measures, with its processes. */
public interface Contestant extends Closeable {
  Sample round() throws Exception;

  @Override
  default void close() throws IOException {}

  /** Gets a contestant ready: starts its processes in a lab. */
  interface Factory {
    Contestant in(Lab lab) throws Exception;
  }
}
