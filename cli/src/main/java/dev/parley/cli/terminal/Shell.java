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
 * The environment of a run: streams, variables, working folder.
 *
 * @param out unlike {@link System#out}, it throws when the reader has gone
 */
public record Shell(
    InputStream in,
    OutputStream out,
    OutputStream err,
    Map<String, String> environment,
    Path folder,
    Devices devices) {

  /** The environment of this process. */
  public static Shell ofProcess() {
    return new Shell(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        new ProcessDevices());
  }

  /** The same environment in another folder. */
  public Shell at(Path other) {
    return new Shell(in, out, err, environment, other, devices);
  }

  /** A variable; null if it is unset or empty. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
