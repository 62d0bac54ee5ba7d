package dev.parley.orchestration.gate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The XML reports that Maven and Gradle write, for gates that print no counts: both are silent
 * about tests that pass.
 *
 * <pre>
 * target/surefire-reports, target/failsafe-reports   in the folder of each module
 * build/test-results/*
 * </pre>
 *
 * Only files that appear or change while the gate runs count.
 */
final class TestReports {
  private static final int DEEPEST_MODULE = 4;
  private static final int MOST_FILES = 10_000;
  private static final int HEAD_BYTES = 8_192;
  private static final Set<String> BUILD_FILES =
      Set.of("pom.xml", "build.gradle", "build.gradle.kts");
  private static final Set<String> NO_MODULES = Set.of("src", "target", "build", "node_modules");
  private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*>");
  private static final Pattern NUMBER =
      Pattern.compile("\\s(tests|failures|errors)=\"(\\d{1,9})\"");

  private final Path folder;
  private final Map<Path, FileTime> before = new HashMap<>();

  private TestReports(Path folder) {
    this.folder = folder;
  }

  /** Notes the reports that are there before a gate runs. */
  static TestReports before(Path folder) {
    TestReports reports = new TestReports(folder);
    reports.before.putAll(reports.find());
    return reports;
  }

  /** The counts of the reports that were written since; null if there are none. */
  @Nullable TestCounts counts() {
    TestCounts all = null;
    for (Map.Entry<Path, FileTime> report : find().entrySet()) {
      TestCounts one =
          report.getValue().equals(before.get(report.getKey())) ? null : read(report.getKey());
      if (one != null) {
        all =
            all == null ? one : new TestCounts(all.run() + one.run(), all.failed() + one.failed());
      }
    }
    return all;
  }

  private Map<Path, FileTime> find() {
    Map<Path, FileTime> found = new HashMap<>();
    if (BUILD_FILES.stream().anyMatch(name -> Files.isRegularFile(folder.resolve(name)))) {
      find(folder, 0, found);
    }
    return found;
  }

  private static void find(Path module, int depth, Map<Path, FileTime> found) {
    reports(module.resolve("target/surefire-reports"), found);
    reports(module.resolve("target/failsafe-reports"), found);
    for (Path task : folders(module.resolve("build/test-results"))) {
      reports(task, found);
    }
    for (Path inside : depth < DEEPEST_MODULE ? folders(module) : List.<Path>of()) {
      String name = String.valueOf(inside.getFileName());
      if (!name.startsWith(".") && !NO_MODULES.contains(name)) {
        find(inside, depth + 1, found);
      }
    }
  }

  private static List<Path> folders(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    } catch (IOException e) {
      return List.of(); // it is not there
    }
  }

  private static void reports(Path folder, Map<Path, FileTime> found) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "TEST-*.xml")) {
      for (Path report : all) {
        if (found.size() < MOST_FILES) {
          found.put(report, Files.getLastModifiedTime(report));
        }
      }
    } catch (IOException e) {
      // The folder is not there.
    }
  }

  private static @Nullable TestCounts read(Path report) {
    String head;
    try (InputStream in = Files.newInputStream(report)) {
      head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    }
    Matcher suite = SUITE.matcher(head);
    if (!suite.find()) {
      return null;
    }
    int tests = 0;
    int failed = 0;
    Matcher number = NUMBER.matcher(suite.group());
    while (number.find()) {
      int value = Integer.parseInt(number.group(2));
      if (number.group(1).equals("tests")) {
        tests = value;
      } else {
        failed += value;
      }
    }
    return new TestCounts(tests, failed);
  }
}
