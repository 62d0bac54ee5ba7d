package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.ParleyException.Kind;
import dev.parley.core.Seed;
import dev.parley.filelog.disk.ScriptedDisk;
import dev.parley.filelog.testing.ReaderFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * For every N, the N-th operation on the disk fails: once, and permanently; in a new topic, and
 * after a torn tail, so that the recovery fails, too.
 */
class EveryStepCanFailTest {
  @TempDir Path folder;

  /** Fails the N-th step, and all later ones if the failure is permanent. */
  private static final class Failing implements ScriptedDisk.Script {
    private final int step;
    private final boolean forEver;
    private int steps;

    Failing(int step, boolean forEver) {
      this.step = step;
      this.forEver = forEver;
    }

    @Override
    public void before(ScriptedDisk.Step what) throws IOException {
      steps++;
      if (steps == step || (forEver && steps > step)) {
        throw new IOException("Input/output error");
      }
    }
  }

  @Test
  void anErrorAtAnyStepLosesNothingAcknowledgedAndIsAnsweredTruly() throws Exception {
    int runs = 0;
    int answered = 0;
    for (String before : new String[] {"", "{\"type\":\"torn\",\"payload\":\"by a cra"}) {
      for (boolean forEver : new boolean[] {false, true}) {
        boolean reached = true;
        for (int step = 1; reached; step++) {
          Failing disk = new Failing(step, forEver);
          AppendScript story = happen(before, disk);
          reached = disk.steps >= step;
          answered +=
              check(story, "step " + step + (forEver ? " on" : "") + " " + story.outcomes());
          runs++;
        }
      }
    }
    Seed.say(runs + " runs with a failing step, " + answered + " appends answered with an error");
    assertThat(answered).isGreaterThan(100);
  }

  private AppendScript happen(String before, Failing disk) throws IOException {
    Files.writeString(AppendScript.file(folder), before);
    return AppendScript.happen(folder, new ScriptedDisk(disk), i -> {});
  }

  private int check(AppendScript story, String what) {
    ReaderFindings reading =
        ReaderFindings.of(folder, AppendScript.TOPIC, AppendScript.LIMITS.line());
    reading.holds(story.acks());
    int troubles = 0;
    for (AppendScript.Outcome outcome : story.outcomes()) {
      if (outcome.is(Kind.FAILED)) {
        assertThat(reading.keys("ours"))
            .as(what)
            .doesNotContainAnyElementsOf(outcome.notAcknowledged());
      }
      if (outcome.trouble() == null) {
        assertThat(outcome.notAcknowledged()).as(what).isEmpty();
      } else {
        assertThat(outcome.trouble().getMessage()).contains("Input/output error");
        troubles++;
      }
    }
    return troubles;
  }
}
