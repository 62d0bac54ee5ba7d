package dev.parley.filelog.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that another Java process uses.
 *
 * @param files its open file descriptors
 * @param heap its heap after a collection, in KB
 */
public record ProcessResources(long files, long threads, long heap) {
  private static final Pattern USED = Pattern.compile("(?:DefNew|Tenured) [^\\n]*used (\\d+)K");

  /** Asks the system and the process itself, which starts a thread to answer. */
  public static ProcessResources of(long pid) throws IOException, InterruptedException {
    var _ = ask(pid, "GC.run");
    Matcher used = USED.matcher(ask(pid, "GC.heap_info"));
    long heap = 0;
    while (used.find()) {
      heap += Long.parseLong(used.group(1));
    }
    return new ProcessResources(
        entries("/proc/" + pid + "/fd"), entries("/proc/" + pid + "/task"), heap);
  }

  private static String ask(long pid, String command) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process = new ProcessBuilder(jcmd, Long.toString(pid), command).start();
    String answer = new String(process.getInputStream().readAllBytes(), US_ASCII);
    if (process.waitFor() != 0) {
      throw new AssertionError("jcmd failed: " + answer);
    }
    return answer;
  }

  private static long entries(String folder) throws IOException {
    try (Stream<Path> entries = Files.list(Path.of(folder))) {
      return entries.count();
    }
  }
}
