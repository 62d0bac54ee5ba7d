package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.testing.BusyBus;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.Seed;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goes through all commands and all their options: each has its effect, or is refused. What is
 * typed for each stands in {@code options.txt}. The same line without the option is run twice to
 * see that it always does the same, so whatever is different with the option is the option's work.
 */
class OptionsTest {
  private static final Pattern OWN_TEST = Pattern.compile("\\? ([a-z -]+?)( --[a-z-]+)? (\\w+)");

  /** What is another each time: ids, times, positions, sums, temporary folders. */
  private static final Pattern VARYING =
      Pattern.compile(
          "[a-z2-7]{16}-\\d+|MSG-\\S+|\\b1\\d{12}\\b|[0-9a-f]{8}-[0-9a-f-]{27}|\\b[0-9a-z]{26}\\b|\\d{4}-\\d\\d-\\d\\d[T"
              + " ][0-9:.]+Z?|\"sum\":\"[^\"]*\"|\"clock\":\"[^\"]*\"|\\b\\d\\d:\\d\\d\\b|@\\d+|token"
              + " \\d+|\"(?:token|position|at|ms|millis|pid|added|start)\":\\d+|\"session\":\"[^\"]*\"|\\b[0-9a-f]{40,64}\\b|\\d+"
              + " (?:s|min|ms) ago|[0-9.]+"
              + " ?m?s\\b|\"(?:place|host|terminal|process|digest|run)\":\"[^\"]*\"|run[-_][\\w-]+|index"
              + " [0-9a-f.]+ ");

  @TempDir private Path folder;
  private Path work;
  private BusyBus bus;

  /** Options that are given instead of a word. */
  private static final Set<String> IN_PLACE_OF_A_WORD = Set.of("--file", "--body", "--all");

  /** A refusal that comes once all options were read: no agent is started. */
  private static final String AFTER_ALL_OPTIONS = "that could be asked";

  /**
   * How many are tried in a normal run; all of them with parley.long, those of one command with
   * parley.options and its name.
   */
  private static final int SAMPLE = 40;

  /** Long enough for a machine that does much else. */
  private static final int PATIENCE_SECONDS = 60;

  /** A port that nobody else can serve on, so that a server ends at once. */
  private @Nullable ServerSocket taken;

  @AfterEach
  void giveThePortBack() throws IOException {
    if (taken != null) {
      taken.close();
    }
  }

  /** One command line of the table. */
  private record Base(String page, String line, List<String> before) {}

  /** One option of it, as it is typed. */
  private record Row(Base base, char mark, String typed) {
    String option() {
      return typed.substring(0, (typed + " ").indexOf(' '));
    }
  }

  private record Observed(int exitCode, String seen) {}

  @BeforeEach
  void everythingHasHappened() throws Exception {
    bus = BusyBus.in(folder);
    work = bus.work();
  }

  @Test
  void everyOptionOfEveryCommandHasItsEffectOrIsRefused() throws IOException {
    List<Row> rows = rows();
    Map<String, Set<String>> missing = missing(rows);
    assertThat(missing).as("options without a line in options.txt").isEmpty();
    String only = System.getProperty("parley.options", "");
    rows.removeIf(row -> !row.base.page.startsWith(only));
    if (!Seed.isLong() && only.isEmpty()) {
      Collections.shuffle(rows, Seed.random("options"));
      rows = rows.subList(0, SAMPLE);
    }
    taken = new ServerSocket(0);
    bus.name("@port", Integer.toString(taken.getLocalPort()));
    Map<Base, Observed> without = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (Row row : rows) {
      String problem = withinTime(() -> problem(row, without));
      if (problem != null) {
        wrong.add(row.base.line + "  " + row.typed + ": " + problem);
      }
    }
    assertThat(wrong).as(rows.size() + " options").isEmpty();
    Seed.say("options: " + rows.size() + " on " + without.size() + " command lines");
  }

  private static @Nullable String withinTime(Callable<@Nullable String> trial) {
    FutureTask<@Nullable String> task = new FutureTask<>(trial);
    Thread thread = Thread.ofVirtual().start(task);
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      return "it does not end";
    } catch (ExecutionException | InterruptedException e) {
      return String.valueOf(e.getCause());
    }
  }

  private @Nullable String problem(Row row, Map<Base, Observed> without) throws IOException {
    Observed base = row.mark == '-' ? without.get(row.base) : null;
    if (base == null && row.mark == '-') {
      base = observe(row.base);
      Observed again = observe(row.base);
      if (!base.equals(again)) {
        return "without it the answers differ: " + difference(base.seen, again.seen);
      }
      if (base.exitCode == 2) {
        return "the line itself is refused: " + base.seen;
      }
      without.put(row.base, base);
    }
    bus.restore();
    before(row.base);
    Trial trial = bus.trial();
    List<String> words = words(row.base.line, row.typed);
    Answer answer = trial.run(words.toArray(String[]::new));
    if (row.mark == '!') {
      return answer.exitCode() == 2 || answer.exitCode() == 3 ? null : "it is accepted: " + answer;
    }
    if (answer.exitCode() == 2 && !answer.err().contains(AFTER_ALL_OPTIONS)) {
      return "it is refused: " + answer.err() + answer.out();
    }
    if (trial.ignored().contains(row.option())) {
      return "nothing looked at it: " + answer;
    }
    if (row.mark == '-' && observed(answer).equals(base)) {
      return "it has no effect: " + answer;
    }
    return null;
  }

  /** What the line does without an option. Its names are those of this trial's bus. */
  private Observed observe(Base base) throws IOException {
    bus.restore();
    before(base);
    return observed(bus.trial().run(words(base.line, "").toArray(String[]::new)));
  }

  private void before(Base base) {
    for (String line : base.before) {
      Answer answer = bus.trial().run(words(line, "").toArray(String[]::new));
      assertThat(answer.exitCode()).as(line + answer).isNotEqualTo(2);
      if (line.contains("mount add swarm")) {
        bus.name("@session", bus.trial().run("session", "start", "--goal", "g").out().strip());
      }
    }
  }

  /** The answer, and every file below the working folder. */
  private Observed observed(Answer answer) throws IOException {
    StringBuilder seen = new StringBuilder(answer.out()).append(answer.err());
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : files.filter(it -> isSeen(it)).sorted().toList()) {
        String name = work.relativize(file).toString();
        String text = new String(Files.readAllBytes(file), UTF_8);
        seen.append("\n== ").append(varying(name)).append('\n').append(text);
      }
    }
    return new Observed(answer.exitCode(), varying(seen.toString()));
  }

  private boolean isSeen(Path file) {
    String name = work.relativize(file).toString();
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && !name.startsWith(".git/")
        && !name.startsWith("state/")
        && !name.contains("/views/")
        && !name.contains("/sessions/")
        && !name.contains("/cursors/")
        && !name.endsWith(".jar")
        && !name.endsWith(".db");
  }

  /** Columns are as wide as the ages in them, so the blanks between them vary as well. */
  private static String varying(String text) {
    return VARYING.matcher(text).replaceAll("~").replaceAll("  +", "  ");
  }

  private static String difference(String one, String two) {
    int at = 0;
    while (at < Math.min(one.length(), two.length()) && one.charAt(at) == two.charAt(at)) {
      at++;
    }
    return around(one, at) + " / " + around(two, at);
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 60), Math.min(text.length(), at + 60));
  }

  /** The words of a line with an option: what stands in braces goes when its option is given. */
  private List<String> words(String line, String typed) {
    String option = typed.isEmpty() ? "" : typed.substring(0, (typed + " ").indexOf(' '));
    String text =
        Pattern.compile("\\{([^}]*)}")
            .matcher(line)
            .replaceAll(it -> Matcher.quoteReplacement(stands(it, option)));
    // Options stand before --, which ends them.
    int end = text.indexOf(" -- ");
    String all =
        end < 0 ? text + " " + typed : text.substring(0, end) + " " + typed + text.substring(end);
    return bus.words(all);
  }

  private static String stands(MatchResult braces, String option) {
    String inside = braces.group(1);
    boolean replaced =
        !option.isEmpty()
            && (inside.startsWith(option + " ")
                || (inside.startsWith("-m ") && option.equals("--body"))
                || (!inside.startsWith("-") && IN_PLACE_OF_A_WORD.contains(option)));
    return replaced ? "" : inside;
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    List<String> before = new ArrayList<>();
    Base base = new Base("", "", List.of());
    for (String line : Files.readAllLines(Path.of("src/test/resources/options.txt"))) {
      if (line.startsWith("= ")) {
        String[] parts = line.substring(2).split(" :: ", 2);
        base = new Base(parts[0].strip(), parts[1].strip(), List.copyOf(before));
        before.clear();
      } else if (line.startsWith("+ ")) {
        before.add(line.substring(2));
      } else if (line.startsWith("--")) {
        rows.add(new Row(base, '-', line));
      } else if (line.startsWith("~--") || line.startsWith("!--")) {
        rows.add(new Row(base, line.charAt(0), line.substring(1)));
      }
    }
    return rows;
  }

  /** The options that neither the table nor a test that it names goes through. */
  private static Map<String, Set<String>> missing(List<Row> rows) throws IOException {
    Map<String, Set<String>> missing = new TreeMap<>();
    for (Description page : pages()) {
      for (Option option : page.options()) {
        missing.computeIfAbsent(page.name(), name -> new TreeSet<>()).add(option.name());
      }
    }
    for (Row row : rows) {
      Set<String> options = missing.get(row.base.page);
      assertThat(options).as(row.base.page + " is no command with options").isNotNull();
      options.remove(row.option());
    }
    for (String line : Files.readAllLines(Path.of("src/test/resources/options.txt"))) {
      if (line.startsWith("- ")) {
        int first = line.indexOf(" --");
        Set<String> later = missing.get(line.substring(2, first));
        assertThat(later).as(line).isNotNull();
        later.removeAll(List.of(line.substring(first + 1).split(" ")));
      }
      if (line.startsWith("? ")) {
        var matcher = OWN_TEST.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        String test = source(matcher.group(3));
        String only = matcher.group(2) == null ? null : matcher.group(2).strip();
        Set<String> options = Objects.requireNonNull(missing.get(matcher.group(1)), line);
        options.removeIf(option ->
            (only == null || only.equals(option))
                && test.contains(only != null && only.equals("--follow") ? "\"-f\"" : option));
      }
    }
    missing.values().removeIf(Set::isEmpty);
    return missing;
  }

  private static String source(String test) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      Path file =
          files
              .filter(it -> it.endsWith(test + ".java"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(test));
      return Files.readString(file);
    }
  }

  private static List<Description> pages() {
    CommandRegistry registry = new CommandRegistry();
    List<Description> pages = new ArrayList<>();
    for (String name : registry.names()) {
      Description command = Objects.requireNonNull(registry.describe(name));
      pages.add(command);
      pages.addAll(command.subcommands());
    }
    return pages;
  }
}
