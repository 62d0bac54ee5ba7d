package dev.parley.coordination.bulletin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The cap rule on generated bulletins (seed 0.10). */
class BulletinSelectionTest {
  private static List<Notice> generated(Random random, int count) {
    List<Notice> notices = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      Notice.Kind kind = List.of(Notice.Kind.values()).get(random.nextInt(4));
      notices.add(new Notice(kind, "text " + i, List.of("alice"), 1, 0, null, List.of(), i, null));
    }
    return notices;
  }

  private static boolean isWarning(Notice notice) {
    return notice.kind() == Notice.Kind.WARNING;
  }

  @Test
  void warningsAreAlwaysShownAndOfTheRestTheMostRecentUpToTheCap() {
    Random random = Seed.random("cap rule");
    for (int run = 0; run < 500; run++) {
      List<Notice> all = generated(random, random.nextInt(80));
      int cap = random.nextInt(30);
      BulletinSelection reading = BulletinSelection.of(all, cap, Integer.MAX_VALUE, notice -> 1);

      List<Notice> warnings = all.stream().filter(BulletinSelectionTest::isWarning).toList();
      List<Notice> others = all.stream().filter(notice -> !isWarning(notice)).toList();
      int room = Math.clamp(cap - warnings.size(), 0, others.size());
      List<Notice> expected = new ArrayList<>(warnings);
      expected.addAll(others.subList(others.size() - room, others.size()));
      assertThat(reading.shown()).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(reading.shown())
          .isSortedAccordingTo((a, b) -> Long.compare(a.position(), b.position()));
      assertThat(reading.leftOut()).isEqualTo(all.size() - expected.size());
      assertThat(reading.warningsLeftOut()).isZero();
    }
  }

  @Test
  void whatABudgetLeavesOutIsCountedAndWarningsAreTheLastToGo() {
    Random random = Seed.random("budget");
    for (int run = 0; run < 500; run++) {
      List<Notice> all = generated(random, random.nextInt(80));
      int budget = random.nextInt(40);
      BulletinSelection reading =
          BulletinSelection.of(all, BulletinSelection.CAP, budget, notice -> 1);

      long warnings = all.stream().filter(BulletinSelectionTest::isWarning).count();
      assertThat(reading.shown()).hasSizeLessThanOrEqualTo(budget);
      assertThat(reading.shown().size() + reading.leftOut()).isEqualTo(all.size());
      assertThat(reading.warningsLeftOut()).isEqualTo((int) Math.max(0, warnings - budget));
      if (reading.warningsLeftOut() > 0) {
        assertThat(reading.shown()).allMatch(BulletinSelectionTest::isWarning);
      }
    }
  }
}
