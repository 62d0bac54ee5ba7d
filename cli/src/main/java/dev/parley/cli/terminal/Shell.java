package dev.parley.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the program was started from: its streams, its environment, its working folder.
 *
 * @param out unlike {@link System#out}, it says when nobody reads any more
 */
public record Shell(
    InputStream in,
    OutputStream out,
    OutputStream err,
    Map<String, String> environment,
    Path folder,
    Devices devices) {

  /** The one this process was started from. */
  public static Shell ofProcess() {
    return new Shell(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        new ProcessDevices());
  }

  /** The same in another folder. */
  public Shell at(Path other) {
    return new Shell(in, out, err, environment, other, devices);
  }

  /** A variable of the environment; null if it is not set or empty. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
