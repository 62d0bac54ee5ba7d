package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.ParleyException.Kind;
import dev.parley.core.Seed;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.testing.ReaderFindings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every write of a script fails once, in every way: refused, cut short by some bytes, stored but
 * reported as failed, and with following writes refused as well.
 */
class WritesThatGoWrongTest {
  private static final int WRITES = AppendScript.length() + 4;
  private static final int REFUSED = Integer.MAX_VALUE;
  private static final int STORED_BUT_REPORTED_AS_FAILED = -1;

  @TempDir Path folder;
  private int unknowns;
  private int failures;
  private int runs;

  /**
   * @param write the number of the failing write, from 1
   * @param missing how many bytes are not written
   * @param more how many further writes are refused
   */
  private record Fault(int write, int missing, int more) {}

  private static final class Script implements ScriptedDisk.Script {
    private final Fault fault;
    private int writes;

    Script(Fault fault) {
      this.fault = fault;
    }

    @Override
    public int take(int length) throws IOException {
      writes++;
      if (writes > fault.write && writes <= fault.write + fault.more) {
        throw full();
      }
      if (writes == fault.write && fault.missing == REFUSED) {
        throw full();
      }
      return writes == fault.write ? Math.max(0, length - Math.max(0, fault.missing)) : length;
    }

    @Override
    public void written() throws IOException {
      if (writes == fault.write && fault.missing == STORED_BUT_REPORTED_AS_FAILED) {
        throw new IOException("Input/output error");
      }
    }

    private static IOException full() {
      return new IOException("No space left on device");
    }
  }

  @Test
  void acknowledgedIsThereRefusedIsNotAndUnknownIsOnlyWhatCantBeTold() throws Exception {
    proveAll("");
  }

  @Test
  void theSameHoldsBehindATornTail() throws Exception {
    proveAll("{\"type\":\"torn\",\"payload\":\"by a cra");
  }

  private void proveAll(String before) throws Exception {
    int[] missing = {
      REFUSED, STORED_BUT_REPORTED_AS_FAILED, 1, 2, 3, 50, 150, 300, 900, 1000, 1600, 1 << 20
    };
    for (int write = 1; write <= WRITES; write++) {
      for (int bytes : missing) {
        for (int more : new int[] {0, 1, 2, 3, 40}) {
          prove(new Fault(write, bytes, more), before);
        }
      }
    }
    Seed.say(
        runs + " faults: " + failures + " refused for certain, " + unknowns + " answered unknown");
    assertThat(failures).isPositive();
    assertThat(unknowns).isPositive();
  }

  private void prove(Fault fault, String before) throws IOException {
    Path file = AppendScript.file(folder);
    Files.writeString(file, before);
    List<String> tails = new ArrayList<>();
    List<Boolean> healed = new ArrayList<>();
    Script script = new Script(fault);
    AppendScript story =
        AppendScript.happen(
            folder,
            new ScriptedDisk(script),
            i -> {
              tails.add(tail(file));
              healed.add(script.writes >= fault.write + fault.more);
            });
    tails.add(tail(file));
    ReaderFindings reading =
        ReaderFindings.of(folder, AppendScript.TOPIC, AppendScript.LIMITS.line());
    String what = fault + " " + story.outcomes();

    reading.holds(story.acks());
    List<Long> there = reading.keys("ours");
    boolean anyUnknown = false;
    for (int i = 0; i < story.outcomes().size(); i++) {
      AppendScript.Outcome outcome = story.outcomes().get(i);
      if (outcome.is(Kind.FAILED)) {
        failures++;
        assertThat(there).as(what).doesNotContainAnyElementsOf(outcome.notAcknowledged());
      } else if (outcome.is(Kind.UNKNOWN)) {
        unknowns++;
        anyUnknown = true;
        // A line that lacks only its newline becomes complete with the next writer's newline.
        assertThat(tails.get(i + 1)).as(what).startsWith("{\"id\":").endsWith("}");
      } else {
        assertThat(outcome.notAcknowledged()).as(what).isEmpty();
      }
      if (healed.get(i)) {
        assertThat(outcome.trouble()).as("goes on after " + what).isNull();
      }
    }
    if (!anyUnknown) {
      reading.hasNoGaps();
    }
    runs++;
  }

  /** The bytes after the last newline. */
  private static String tail(Path file) {
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      return text.substring(text.lastIndexOf('\n') + 1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
