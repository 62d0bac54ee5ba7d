package dev.parley.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rules for the source tree that keep it readable: names, sizes, and where things are. An exception
 * is listed here with its reason; the lists should only become shorter.
 */
class SourceTreeTest {
  private static final Path ROOT = Path.of(System.getProperty("parley.root"));
  private static final int MOST_LINES = 500;
  private static final int MOST_FILES = 20;

  /** Words that say nothing about a class to a reader who does not know it. */
  private static final Set<String> METAPHORS =
      Set.of(
          "Bell",
          "Butler",
          "Catalogue",
          "Checkup",
          "Clerk",
          "Courier",
          "Damper",
          "Deputy",
          "Desk",
          "Endings",
          "Excerpt",
          "Fates",
          "Folded",
          "Hearing",
          "Helper",
          "Herald",
          "Impl",
          "Impostor",
          "Impostors",
          "Janitor",
          "Lookout",
          "Manager",
          "Meetings",
          "Minutes",
          "Muted",
          "Nearest",
          "Office",
          "Oracle",
          "Outlet",
          "Parcel",
          "Pieces",
          "Portion",
          "Ringer",
          "Rope",
          "Rush",
          "Scribe",
          "Seal",
          "Seat",
          "Sentinel",
          "Sentry",
          "Shelved",
          "Shepherd",
          "Showing",
          "Stencil",
          "Steward",
          "Surroundings",
          "Tower",
          "Util",
          "Utils",
          "Veil",
          "Vitals",
          "Warden");

  private static final Map<String, String> NAMES_THAT_STAY = Map.of();

  /** Top-level classes of main code that share a simple name, with the reason. */
  private static final Map<String, String> NAMES_OF_SEVERAL_CLASSES = Map.of();

  private static final Map<String, String> LONG_FILES = Map.of();

  private static final Map<String, String> LARGE_PACKAGES =
      Map.of("bench/src/main/java/dev/parley/bench/figure", "one class for each figure");

  private static final Map<String, String> PACKAGES_OF_TESTS_ALONE =
      Map.of(
          "dialects/dev/parley/dialects", "tests that span its packages",
          "orchestration/dev/parley/orchestration", "tests that span its packages",
          "core/dev/parley/core/hosts", "real agent hosts, for the tests of all modules",
          "mcp/dev/parley/mcp/conformance", "the protocol's own conformance suite");

  private static final Pattern COMMENT_BEFORE =
      Pattern.compile(".*\\*/\\s*(@[^\\n]*\\n\\s*(\\)[^\\n]*\\n\\s*)?)*", Pattern.DOTALL);

  @Test
  void noClassIsNamedWithAMetaphor() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sources("main", "test")) {
      String name = className(file);
      if (!NAMES_THAT_STAY.containsKey(name) && isMetaphor(name)) {
        found.add(ROOT.relativize(file).toString());
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void noTwoClassesHaveTheSameName() throws IOException {
    Map<String, List<String>> byName = new TreeMap<>();
    for (Path file : sources("main")) {
      byName
          .computeIfAbsent(className(file), name -> new ArrayList<>())
          .add(ROOT.relativize(file).toString());
    }
    byName.keySet().removeAll(NAMES_OF_SEVERAL_CLASSES.keySet());
    byName.values().removeIf(files -> files.size() == 1);
    assertThat(byName).isEmpty();
  }

  @Test
  void everyClassSaysWhatItIsFor() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sources("main")) {
      if (!hasPurpose(className(file), Files.readString(file, UTF_8))) {
        found.add(ROOT.relativize(file).toString());
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void noFileIsLongWithoutAReason() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sources("main")) {
      long lines = Files.readString(file, UTF_8).lines().count();
      if (lines > MOST_LINES && !LONG_FILES.containsKey(className(file))) {
        found.add(lines + " lines: " + ROOT.relativize(file));
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void noPackageIsLargeWithoutAReason() throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    for (Path file : sources("main", "test")) {
      files.merge(ROOT.relativize(file.resolveSibling("")).toString(), 1, Integer::sum);
    }
    LARGE_PACKAGES.keySet().forEach(files::remove);
    assertThat(files).hasSizeGreaterThan(50);
    assertThat(files)
        .allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_FILES));
  }

  @Test
  void testsAreInThePackagesOfWhatTheyTest() throws IOException {
    Set<String> main = new TreeSet<>();
    Set<String> test = new TreeSet<>();
    sources("main").forEach(file -> main.add(packageOf(file)));
    sources("test").forEach(file -> test.add(packageOf(file)));
    test.removeAll(main);
    test.removeAll(PACKAGES_OF_TESTS_ALONE.keySet());
    test.removeIf(name -> name.endsWith("/testing")); // helpers that the tests of a module share
    assertThat(test).isEmpty();
  }

  @Test
  void theRulesSeeWhatTheyForbid() {
    assertThat(isMetaphor("FolderLookout")).isTrue();
    assertThat(isMetaphor("SeatTest")).isTrue();
    assertThat(isMetaphor("Seats")).isFalse();
    assertThat(hasPurpose("A", "package x;\n\nimport y;\n\npublic final class A {}")).isFalse();
    assertThat(hasPurpose("A", "/** Purpose. */\n@Deprecated // why\nfinal class A {}")).isTrue();
    assertThat(hasPurpose("A", "/** Purpose. */\npublic record A(int b) {}")).isTrue();
  }

  private static boolean isMetaphor(String name) {
    return Stream.of(name.split("(?=[A-Z])")).anyMatch(METAPHORS::contains);
  }

  private static boolean hasPurpose(String name, String source) {
    Matcher declaration =
        Pattern.compile(
                "^((public|abstract|final|sealed|non-sealed) )*(class|record|interface|enum"
                    + "|@interface) "
                    + name
                    + "\\b",
                Pattern.MULTILINE)
            .matcher(source);
    return declaration.find()
        && COMMENT_BEFORE.matcher(source.substring(0, declaration.start())).matches();
  }

  private static String className(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.substring(0, name.length() - ".java".length());
  }

  /** The module and the folder of the package. */
  private static String packageOf(Path file) {
    Path path = ROOT.relativize(file);
    return path.getName(0) + "/" + path.subpath(4, path.getNameCount() - 1);
  }

  private static List<Path> sources(String... kinds) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        for (String kind : kinds) {
          Path folder = module.resolve("src").resolve(kind).resolve("java");
          if (Files.isDirectory(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
              all.filter(SourceTreeTest::isClass).forEach(files::add);
            }
          }
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(300);
    return files;
  }

  private static boolean isClass(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".java") && !name.endsWith("-info.java");
  }
}
