package dev.parley.orchestration;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Starts the main method of a test class in a process of its own, which can be killed. */
public final class OtherProcess {
  private static final String OUTPUT = "out";

  private OtherProcess() {}

  /**
   * Starts it.
   *
   * @param where its only argument; what it prints is added to a file there
   */
  public static Process start(Class<?> test, Path where) throws IOException, URISyntaxException {
    Set<String> places = new LinkedHashSet<>();
    places.add(System.getProperty("java.class.path"));
    // Whoever runs the tests may have loaded them from elsewhere.
    for (ClassLoader loader = test.getClassLoader(); loader != null; loader = loader.getParent()) {
      if (loader instanceof URLClassLoader urls) {
        for (URL url : urls.getURLs()) {
          places.add(Path.of(url.toURI()).toString());
        }
      }
    }
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-cp",
            String.join(File.pathSeparator, places),
            test.getName(),
            where.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(where.resolve(OUTPUT).toFile()))
        .start();
  }

  /** All that the processes started there have printed. */
  public static String output(Path where) throws IOException {
    return Files.readString(where.resolve(OUTPUT));
  }
}
