package dev.parley.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the figures were measured on and with. */
final class Machine {
  private static final Pattern JAR = Pattern.compile("([a-z-]+?)-(\\d[^/]*)\\.jar");
  private static final Map<String, String> LIBRARIES = new LinkedHashMap<>();

  static {
    LIBRARIES.put("chronicle-queue", "Chronicle Queue");
    LIBRARIES.put("jedis", "Jedis");
    LIBRARIES.put("jnats", "jnats");
    LIBRARIES.put("sqlite-jdbc", "sqlite-jdbc");
    LIBRARIES.put("vertx-core", "Vert.x");
    LIBRARIES.put("disruptor", "Disruptor");
    LIBRARIES.put("jctools-core", "JCTools");
  }

  private Machine() {}

  /** Names and values, in the order to be shown. */
  static Map<String, String> describe(Path folder) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cores", Runtime.getRuntime().availableProcessors() + " × " + processor());
    facts.put("memory", memory());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("file system", fileSystem(folder));
    facts.put("JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("Redis", output("redis-server", "--version"));
    facts.put("NATS", output("/usr/sbin/nats-server", "--version"));
    facts.put("Node.js", output("node", "--version"));
    Map<String, String> versions = versions();
    LIBRARIES.forEach((jar, name) -> facts.put(name, versions.getOrDefault(jar, "?")));
    return facts;
  }

  private static String processor() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 2);
        }
      }
    } catch (IOException e) {
      // Not Linux.
    }
    return System.getProperty("os.arch");
  }

  private static String memory() {
    try {
      String first = Files.readAllLines(Path.of("/proc/meminfo")).getFirst();
      return Long.parseLong(first.replaceAll("\\D", "")) / 1024 / 1024 + " GB";
    } catch (IOException e) {
      return "?";
    }
  }

  private static String fileSystem(Path folder) {
    try {
      return Files.getFileStore(folder).type();
    } catch (IOException e) {
      return "?";
    }
  }

  private static String output(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().findFirst().orElse("?").strip();
    } catch (IOException e) {
      return "not installed";
    }
  }

  private static Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path name = Path.of(entry).getFileName();
      Matcher jar = JAR.matcher(String.valueOf(name));
      if (jar.matches()) {
        versions.put(jar.group(1), jar.group(2));
      }
    }
    return versions;
  }
}
