package dev.parley.filelog.append;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.ParleyException.Kind;
import dev.parley.core.Seed;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.ReaderFindings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes the file before every single step of a script of appends: the deterministic counterpart
 * of stopping writers at random moments.
 */
class BetweenTwoStepsOfAnAppendTest {
  private static final String FOREIGN = "{\"type\":\"foreign\",\"sender\":\"rival\"}\n";

  @TempDir Path folder;
  private boolean isFilled;

  /** The text that others append before each of our writes. */
  private String others = "";

  /** A change of the file. */
  private interface Event {
    void happen(Path file) throws IOException;
  }

  /** Lets the event happen before one step, and one write be short. */
  private static final class Script implements ScriptedDisk.Script {
    private final Path file;
    private final int when;
    private final Event event;
    private final int shortWrite;
    private final int missing;
    private final String others;
    private int steps;
    private int writes;

    /** The number of writes before the event; -1 if it has not happened. */
    private int writesBefore = -1;

    Script(Path file, int when, Event event, int shortWrite, int missing, String others) {
      this.file = file;
      this.when = when;
      this.event = event;
      this.shortWrite = shortWrite;
      this.missing = missing;
      this.others = others;
    }

    @Override
    public void before(ScriptedDisk.Step step) throws IOException {
      if (++steps == when) {
        writesBefore = writes;
        event.happen(file);
      }
      if (step == ScriptedDisk.Step.WRITE && !others.isEmpty()) {
        append(file, others);
      }
    }

    @Override
    public int take(int length) {
      return ++writes == shortWrite ? Math.max(0, length - missing) : length;
    }
  }

  /** A run in which the event happened before one step. */
  private record Run(Script script, AppendScript story, List<Integer> writesBeforeAppend) {
    String what() {
      return "before step " + script.when + ": " + story.outcomes();
    }
  }

  private Run run(int when, Event event, int shortWrite, int missing) throws IOException {
    Path file = AppendScript.file(folder);
    Files.deleteIfExists(file);
    if (isFilled) {
      // Makes the writer read the end of the file first, and keep it open for reading.
      append(file, FOREIGN);
    }
    Script script = new Script(file, when, event, shortWrite, missing, others);
    List<Integer> writes = new ArrayList<>();
    AppendScript story =
        AppendScript.happen(folder, new ScriptedDisk(script), i -> writes.add(script.writes));
    return new Run(script, story, writes);
  }

  private ReaderFindings reading() {
    return ReaderFindings.of(folder, AppendScript.TOPIC, AppendScript.LIMITS.line());
  }

  /** Events that remove nothing must not cost a message or an answer. */
  private int everythingIsStored(Event event) throws IOException {
    int steps = 0;
    for (String text : List.of("", FOREIGN, FOREIGN + "{\"torn")) {
      others = text;
      for (boolean filled : new boolean[] {false, true}) {
        isFilled = filled;
        steps += everythingIsStored(event, 0, 0);
      }
    }
    return steps;
  }

  private int everythingIsStored(Event event, int shortWrite, int missing) throws IOException {
    int when = 0;
    Run run;
    do {
      run = run(++when, event, shortWrite, missing);
      String what = "write " + shortWrite + " short by " + missing + ", " + run.what();
      assertThat(run.story.outcomes()).as(what).allMatch(outcome -> outcome.trouble() == null);
      ReaderFindings reading = reading();
      reading.holds(run.story.acks());
      reading.hasNoGaps();
    } while (run.script.writesBefore >= 0);
    return when - 1;
  }

  @Test
  void aFullCopyRenamedOverTheTopicLosesNothing() throws Exception {
    int steps = everythingIsStored(BetweenTwoStepsOfAnAppendTest::edit);
    Seed.say("replaced by a full copy before each of " + steps + " steps: nothing lost");
  }

  @Test
  void aFullCopyRenamedOverTheTopicLosesNothingEvenIfAWriteIsShort() throws Exception {
    int runs = 0;
    for (int write = 1; write <= AppendScript.length() + 1; write++) {
      for (int missing : new int[] {1, 2, 180, 1000, 1 << 20}) {
        isFilled = missing % 2 == 1;
        others = missing == 180 ? FOREIGN : "";
        runs += everythingIsStored(BetweenTwoStepsOfAnAppendTest::edit, write, missing);
      }
    }
    Seed.say(runs + " stories with a short write and a replacement: nothing lost");
  }

  @Test
  void linesOfOthersChangeNoAcknowledgedPosition() throws Exception {
    int steps = everythingIsStored(file -> append(file, FOREIGN));
    steps += everythingIsStored(file -> append(file, FOREIGN.repeat(3)));
    steps += everythingIsStored(file -> append(file, "\n" + FOREIGN));
    Seed.say("foreign lines before each of " + steps + " steps: nothing lost");
  }

  @Test
  void aFragmentOfAKilledWriterCostsNoLineOfOurs() throws Exception {
    int steps = everythingIsStored(file -> append(file, "{\"type\":\"torn\",\"payload\":\"abc"));
    steps += everythingIsStored(file -> append(file, "x"));
    steps += everythingIsStored(file -> append(file, "{"));
    Seed.say("a fragment before each of " + steps + " steps: nothing lost");
  }

  @Test
  void aFragmentAsLongAsALineMayBeCostsNoLineOfOurs() throws Exception {
    String fragment =
        "{\"type\":\"torn\",\"payload\":\"" + "a".repeat(AppendScript.LIMITS.line() - 40);
    everythingIsStored(file -> append(file, fragment));
    everythingIsStored(file -> append(file, fragment.repeat(3)));
  }

  @Test
  void aTopicThatIsDeletedGetsWhatIsAcknowledgedLater() throws Exception {
    laterIsThere(Files::deleteIfExists, false);
  }

  @Test
  void aTopicThatIsCutToNothingGetsWhatIsAcknowledgedLater() throws Exception {
    laterIsThere(file -> cut(file, 0), true);
  }

  @Test
  void aTopicThatIsCutInTheMiddleOfALineGetsWhatIsAcknowledgedLater() throws Exception {
    laterIsThere(file -> cut(file, Files.exists(file) ? Files.size(file) * 2 / 3 : 0), true);
  }

  @Test
  void aTopicThatIsReplacedByAnotherGetsWhatIsAcknowledgedLater() throws Exception {
    laterIsThere(
        file -> {
          Path other = folder.resolve("other");
          Files.writeString(other, FOREIGN.repeat(100));
          Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
        },
        false);
  }

  /**
   * Removed text is lost. Everything acknowledged later is there, and only an append that was
   * running is answered with "unknown".
   */
  private void laterIsThere(Event event, boolean wasCut) throws IOException {
    int runs = 0;
    int unknowns = 0;
    for (int shortWrite = 0; shortWrite <= AppendScript.length(); shortWrite++) {
      for (int missing : shortWrite == 0 ? new int[] {0} : new int[] {1, 180}) {
        isFilled = missing == 1;
        others = missing == 180 ? FOREIGN : "";
        int when = 0;
        Run run;
        do {
          run = run(++when, event, shortWrite, missing);
          unknowns += check(run, wasCut);
          runs++;
        } while (run.script.writesBefore >= 0);
      }
    }
    Seed.say(runs + " stories, " + unknowns + " appends answered unknown");
  }

  private int check(Run run, boolean wasCut) {
    int unknowns = 0;
    List<AppendScript.Outcome> outcomes = run.story.outcomes();
    List<Ack> later = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      AppendScript.Outcome outcome = outcomes.get(i);
      int firstWrite = run.writesBeforeAppend.get(i);
      int lastWrite =
          i + 1 < outcomes.size() ? run.writesBeforeAppend.get(i + 1) : run.script.writes;
      // If a batch needed two writes, a truncation between them removes what the first stored.
      int begun = wasCut ? firstWrite : lastWrite - 1;
      if (lastWrite > run.script.writesBefore && begun >= run.script.writesBefore) {
        later.addAll(outcome.acks());
      }
      if (outcome.trouble() != null) {
        unknowns++;
        assertThat(outcome.is(Kind.UNKNOWN)).as(run.what()).isTrue();
        assertThat(run.script.writesBefore).as(run.what()).isBetween(firstWrite, lastWrite);
      }
    }
    reading().holds(later);
    return unknowns;
  }

  /** Saves a file as many editors do. */
  private static void edit(Path file) throws IOException {
    if (Files.exists(file)) {
      Path copy = file.resolveSibling("copy");
      Files.copy(file, copy);
      Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, UTF_8, CREATE, APPEND);
  }

  private static void cut(Path file, long size) throws IOException {
    if (Files.exists(file)) {
      try (FileChannel channel = FileChannel.open(file, WRITE)) {
        channel.truncate(size);
      }
    }
  }
}
