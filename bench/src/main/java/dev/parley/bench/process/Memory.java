package dev.parley.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory a process has, as the kernel counts it. */
public final class Memory {
  private static final String RESIDENT = "VmRSS:";

  private Memory() {}

  /** What is resident, files that are mapped included, in MB of a million bytes. */
  public static double megabytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith(RESIDENT)) {
        String kilobytes = line.substring(RESIDENT.length()).replace("kB", "").strip();
        return Long.parseLong(kilobytes) * 1024 / 1e6;
      }
    }
    throw new IOException("the kernel does not say how much memory process " + pid + " has");
  }
}
