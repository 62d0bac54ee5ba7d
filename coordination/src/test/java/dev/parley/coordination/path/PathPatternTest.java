package dev.parley.coordination.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which paths a pattern describes, and whether two have one in common (seed 1.4). */
class PathPatternTest {
  private static final int PATTERNS = Seed.isLong() ? 1_500 : 250;

  /** Longer than any comparison may take, however busy the machine is. */
  private static final Duration AT_ONCE = Duration.ofSeconds(20);

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "src/a.ts src/a.ts",
        "src/a.ts src/a.ts/b",
        "src/ src",
        "src/ src/a/b",
        "src/*.java src/A.java",
        "src/* src/x",
        "src/** src",
        "src/** src/a/b",
        "src/**/x src/x",
        "src/**/x src/a/b/x",
        "**/x x",
        "a?c abc",
        "[a-c]x bx",
        "[!a-c]x dx",
        "[^a-c]x dx",
        "[]a]x ]x",
        "[a-]x -x",
        "[\\]]x ]x",
        "{a,b}/x b/x",
        "{a,b{c,d}}/x bd/x",
        "a{,b} a",
        "a{,b} ab",
        "[{]x {x",
        "\\* *",
        "\\*\\* **",
        "*** abc",
        "ü? üß",
        "?x 😀x",
      })
  void thePatternDescribesThePath(String pattern, String path) {
    assertThat(PathPattern.of(pattern).describes(path)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "src/a.ts src/a.tsx",
        "src/a.ts src",
        "src/* src/x/y",
        "src/*.java src/a/A.java",
        "src/**/x src/y",
        "a?c ac",
        "a?c a/c",
        "[a-c]x dx",
        "[!a-c]x ax",
        "{a,b}/x c/x",
        "\\* a",
        "\\*\\* a",
        "A a",
      })
  void thePatternDoesNotDescribeThePath(String pattern, String path) {
    assertThat(PathPattern.of(pattern).describes(path)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/etc/passwd",
        "a//b",
        "a//",
        ".",
        "..",
        "a/../b",
        "./a",
        "{.,a}/b",
        "{/,a}b",
        "a\nb",
        "a\u007f",
        "\u0000",
        "[",
        "[a",
        "[]",
        "[!]",
        "[b-a]",
        "{a",
        "a}",
        "{a,{b}",
        "a\\",
        "a/[/]",
        "{a,[b}",
      })
  void whatIsNoPatternOfRelativePathsIsRefusedWithAReason(String text) {
    assertThatThrownBy(() -> PathPattern.of(text))
        .isInstanceOfSatisfying(
            ParleyException.class,
            e -> {
              assertThat(e.code()).isEqualTo("bad-path");
              assertThat(Fields.of(e.details()).text("path")).isEqualTo(text);
              assertThat(Fields.of(e.details()).text("problem")).startsWith("it ");
            });
  }

  @Test
  void aPatternIsAtMostSoLongAndItsBracesStandForAtMostSoMuch() {
    String longest = "a".repeat(PathPattern.MOST_CHARACTERS);
    assertThat(PathPattern.of(longest).length()).isEqualTo(PathPattern.MOST_CHARACTERS);
    assertThatThrownBy(() -> PathPattern.of(longest + "a")).hasMessageContaining("too long");

    String twice = "{a,b}";
    assertThat(PathPattern.of(twice.repeat(6)).alternatives())
        .hasSize(PathPattern.MOST_ALTERNATIVES);
    assertThatThrownBy(() -> PathPattern.of(twice.repeat(7)))
        .hasMessageContaining("more than " + PathPattern.MOST_ALTERNATIVES);
    assertThatThrownBy(() -> PathPattern.of("{a,b}".repeat(200)))
        .hasMessageContaining("more than " + PathPattern.MOST_ALTERNATIVES);

    int each = PathPattern.MOST_WRITTEN_OUT / 64;
    String most = twice.repeat(6) + "c".repeat(each - 6);
    assertThat(PathPattern.of(most).length()).isEqualTo(PathPattern.MOST_WRITTEN_OUT);
    assertThatThrownBy(() -> PathPattern.of(most + "c")).hasMessageContaining("written out");
  }

  @Test
  void aQuotedPathDescribesThatPathWhateverItIsMadeOf() {
    Random random = Seed.random("quoted paths");
    int quoted = 0;
    for (int i = 0; i < 5_000; i++) {
      String path = nastyPath(random);
      String pattern = PathPattern.quote(path);
      if (isNoPath(path)) {
        continue;
      }
      quoted++;
      assertThat(PathPattern.of(pattern).describes(path)).as(path).isTrue();
      assertThat(PathPattern.of(pattern).describes(path + "x")).as(path).isFalse();
      assertThat(PathPattern.of(pattern).overlaps(PathPattern.of("**"))).isTrue();
    }
    assertThat(quoted).isGreaterThan(2_000);
  }

  private static String nastyPath(Random random) {
    return IntStream.rangeClosed(0, random.nextInt(3))
        .mapToObj(i ->
            random.nextBoolean()
                ? Seed.nastyText(random, 8)
                : random
                    .ints(1 + random.nextInt(6), 0, 12)
                    .mapToObj(c -> "" + "*?[]{}\\!-,ab".charAt(c))
                    .collect(Collectors.joining()))
        .collect(Collectors.joining("/"));
  }

  private static boolean isNoPath(String path) {
    return path.chars().anyMatch(c -> c < ' ' || c == 0x7f)
        || Stream.of(path.split("/", -1)).anyMatch(name -> name.matches("\\.{0,2}"));
  }

  @Test
  void twoPatternsOverlapIfAndOnlyIfThereIsAPathThatBothDescribe() {
    Random random = Seed.random("overlap of paths");
    List<String> names = words("abc", 2);
    List<String> paths = new ArrayList<>(names);
    for (int i = 0, from = 0; i < 3; i++) {
      int to = paths.size();
      for (String path : List.copyOf(paths.subList(from, to))) {
        names.forEach(name -> paths.add(path + "/" + name));
      }
      from = to;
    }
    compare(paths, patterns(random, () -> pathPattern(random)));
  }

  @Test
  void twoNamesOverlapIfAndOnlyIfThereIsANameThatBothDescribe() {
    Random random = Seed.random("overlap of names");
    compare(words("abc", 8), patterns(random, () -> longName(random)));
  }

  /**
   * Compares every pattern with every other, and with a regular expression made of it.
   *
   * @param paths so many that two patterns that overlap have one of these in common
   */
  private static void compare(List<String> paths, List<String> patterns) {
    List<PathPattern> parsed = patterns.stream().map(PathPattern::of).toList();
    List<BitSet> described = new ArrayList<>();
    for (int i = 0; i < patterns.size(); i++) {
      List<Pattern> regexes = flat(patterns.get(i)).stream().map(PathPatternTest::regex).toList();
      BitSet found = new BitSet();
      for (int j = 0; j < paths.size(); j++) {
        String names = paths.get(j) + "/";
        found.set(j, regexes.stream().anyMatch(regex -> regex.matcher(names).matches()));
      }
      described.add(found);
      // Looking at all of them with both would take long; some of each will do.
      for (int j = i % 97; j < paths.size(); j += 97) {
        assertThat(parsed.get(i).describes(paths.get(j)))
            .as(patterns.get(i) + " describes " + paths.get(j))
            .isEqualTo(found.get(j));
      }
    }
    int overlaps = 0;
    for (int i = 0; i < patterns.size(); i++) {
      for (int j = 0; j < patterns.size(); j++) {
        boolean overlap = described.get(i).intersects(described.get(j));
        overlaps += overlap ? 1 : 0;
        if (parsed.get(i).overlaps(parsed.get(j)) != overlap) {
          throw new AssertionError(patterns.get(i) + " and " + patterns.get(j) + ": " + overlap);
        }
        if (parsed.get(i).includes(parsed.get(j))) {
          BitSet rest = (BitSet) described.get(j).clone();
          rest.andNot(described.get(i));
          assertThat(rest.isEmpty()).as(patterns.get(i) + " includes " + patterns.get(j)).isTrue();
        }
      }
    }
    int pairs = patterns.size() * patterns.size();
    assertThat(overlaps).isBetween(pairs / 50, pairs * 49 / 50);
    Seed.say(
        pairs + " pairs of patterns, " + overlaps + " overlap, as " + paths.size() + " paths say");
  }

  private static List<String> words(String alphabet, int longest) {
    List<String> words = new ArrayList<>(List.of(""));
    for (int from = 0; longest > 0; longest--) {
      int to = words.size();
      for (String word : List.copyOf(words.subList(from, to))) {
        alphabet.chars().forEach(c -> words.add(word + (char) c));
      }
      from = to;
    }
    return words.subList(1, words.size());
  }

  private static List<String> patterns(
      Random random, java.util.function.Supplier<String> generator) {
    List<String> patterns = new ArrayList<>();
    while (patterns.size() < PATTERNS) {
      String pattern = generator.get();
      if (random.nextInt(5) == 0) {
        pattern = "{" + pattern + "," + generator.get() + "}";
      }
      patterns.add(pattern);
    }
    return patterns;
  }

  /** At most two names and any number of {@code **}, so that four names are enough to tell. */
  private static String pathPattern(Random random) {
    List<String> parts = new ArrayList<>();
    for (int i = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(2); i > 0; i--) {
      parts.add(shortName(random));
    }
    while (parts.isEmpty() || random.nextInt(4) == 0) {
      parts.add(random.nextInt(parts.size() + 1), "**");
    }
    return String.join("/", parts) + (random.nextInt(4) == 0 ? "/" : "");
  }

  /** Two characters are enough to tell. */
  private static String shortName(Random random) {
    if (random.nextInt(2) == 0) {
      return any(random, "a", "b", "ab", "ca", "\\a", "{a,bc}", "a{b,}");
    }
    List<String> elements = new ArrayList<>(List.of(element(random)));
    for (int i = random.nextInt(4) - 1; i > 0; i--) {
      elements.add("*");
    }
    Collections.shuffle(elements, random);
    return String.join("", elements);
  }

  /** Eight characters are enough to tell. */
  private static String longName(Random random) {
    StringBuilder name = new StringBuilder();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      name.append(random.nextInt(3) == 0 ? "*" : "").append(element(random));
    }
    return name.append(random.nextInt(3) == 0 ? "*" : "").toString();
  }

  private static String element(Random random) {
    return any(random, "a", "b", "?", "[ab]", "[!a]", "[b-c]", "[^b]", "[!-a]", "[a\\-c]");
  }

  private static String any(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /**
   * The pattern without braces, in another way than the one that is tested: the last pair first.
   */
  private static List<String> flat(String pattern) {
    int open = pattern.lastIndexOf('{');
    if (open < 0) {
      return List.of(pattern);
    }
    int close = pattern.indexOf('}', open);
    return Stream.of(pattern.substring(open + 1, close).split(",", -1))
        .flatMap(choice ->
            flat(pattern.substring(0, open) + choice + pattern.substring(close + 1)).stream())
        .toList();
  }

  /** Matches a path in which every name ends with a slash. */
  private static Pattern regex(String flat) {
    StringBuilder regex = new StringBuilder();
    boolean folder = flat.endsWith("/");
    for (String part : (folder ? flat.substring(0, flat.length() - 1) : flat).split("/", -1)) {
      if (part.equals("**")) {
        regex.append("(?:[^/]+/)*");
      } else {
        String name = part.replace("[!", "[^").replace("[^", "(!/)[^");
        regex.append(name.replace("*", "[^/]*").replace("?", "[^/]").replace("(!", "(?!"));
        regex.append('/');
      }
    }
    boolean plain = flat.chars().noneMatch(c -> c == '*' || c == '?' || c == '[');
    regex.append(plain || folder ? "(?:[^/]+/)*" : "");
    // A backslash before a letter means something else in a regular expression.
    return Pattern.compile(regex.toString().replace("\\a", "a"));
  }

  @Test
  void whateverStandsInAPatternComparingItTakesNoTime() {
    int most = PathPattern.MOST_CHARACTERS;
    List<String> hostile = new ArrayList<>();
    for (String part : List.of("*", "**/", "*/", "*a", "a*/", "[a-z]*", "**/a/", "?/")) {
      String text = part.repeat(most / part.length());
      hostile.add(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      hostile.add(hostile.getLast().substring(1) + "b");
    }
    hostile.add("{a,b}".repeat(6) + "*a".repeat(29));
    hostile.add("[" + "a-b".repeat(300) + "]*");
    hostile.removeIf(text -> PathPattern.find(text) == null);
    assertThat(hostile).hasSizeGreaterThan(14);

    assertTimeoutPreemptively(
        AT_ONCE,
        () -> {
          List<PathPattern> patterns = hostile.stream().map(PathPattern::of).toList();
          for (PathPattern one : patterns) {
            for (PathPattern other : patterns) {
              assertThat(one.overlaps(other)).isEqualTo(other.overlaps(one));
            }
          }
        });
  }

  @Test
  void anyTextIsAPatternOrRefusedAsOne() {
    Random random = Seed.random("hostile patterns");
    for (int i = 0; i < 20_000; i++) {
      String text = random.nextBoolean() ? nastyPath(random) : Seed.nastyText(random, 30);
      try {
        assertThat(PathPattern.of(text).overlaps(PathPattern.of(text))).as(text).isTrue();
      } catch (ParleyException e) {
        assertThat(e.code()).isEqualTo("bad-path");
      }
    }
  }
}
