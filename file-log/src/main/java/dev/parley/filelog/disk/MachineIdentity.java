package dev.parley.filelog.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** This machine's name and the identity of its running kernel, without asking the network. */
public final class MachineIdentity {
  private MachineIdentity() {}

  public static String name() {
    String name = firstLine("/proc/sys/kernel/hostname");
    return name.isEmpty() ? Objects.requireNonNullElse(System.getenv("HOSTNAME"), "unknown") : name;
  }

  /** An id that changes with every boot; empty where the system has none. */
  public static String boot() {
    return firstLine("/proc/sys/kernel/random/boot_id");
  }

  private static String firstLine(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
