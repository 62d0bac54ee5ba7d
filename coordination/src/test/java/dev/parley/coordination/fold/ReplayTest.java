package dev.parley.coordination.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.store.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * However a log is read, it comes to the same: whole, in pieces, from a view on, and one topic far
 * ahead of the other.
 */
class ReplayTest {
  private static final int LOGS = Seed.isLong() ? 1_000 : 25;
  private static final Reporter QUIET = report -> {};

  @Test
  void replayIsIncrementalIsViewAndTail() {
    Random random = Seed.random("replay");
    long lines = 0;
    long ended = 0;
    long decided = 0;
    long worked = 0;
    for (int i = 0; i < LOGS; i++) {
      long seed = random.nextLong();
      Random own = new Random(seed);
      LineLog log = new LineLog();
      List<Integer> mailBefore = write(own, log, 500 + own.nextInt(4_000));
      lines += HostileLines.TOPICS.stream().mapToLong(topic -> log.lines(topic).size()).sum();
      String what = "log " + i + " of this seed, " + seed;
      check(what, own, log, Ledger.KIND, mailBefore);
      check(what, own, log, Mailbox.of("x"), mailBefore);
      check(what, own, log, Outbox.kind("x"), mailBefore);
      check(what, own, log, Bulletin.of("x"), mailBefore);
      ended +=
          new FoldReader<>(log, Views.inMemory(), QUIET, Mailbox.of("x")).refresh().recent().size();
      Ledger ledger = new FoldReader<>(log, Views.inMemory(), QUIET, Ledger.KIND).refresh();
      decided +=
          ledger.boards().all().stream().filter(meeting -> meeting.phase().isDecided()).count();
      worked += ledger.tasks().all().stream().filter(task -> task.tried() > 0).count();
    }
    // Most lines are refused; these say that not all are.
    assertThat(decided).as("sessions of boards that were decided").isGreaterThan(LOGS / 5);
    assertThat(worked).as("tasks that were claimed").isGreaterThan(LOGS / 5);
    assertThat(ended).as("messages that ended").isGreaterThan(LOGS * 20L);
    Seed.say(LOGS + " hostile logs, " + lines + " lines, read in four ways each: all the same");
  }

  /** Gives back how many lines of mail there were before each line of the receipts. */
  private static List<Integer> write(Random random, LineLog log, int count) {
    List<Integer> mailBefore = new ArrayList<>();
    HostileLines lines = new HostileLines(random, log);
    for (int i = 0; i < count; i++) {
      lines.write();
      while (mailBefore.size() < log.lines(HostileLines.RECEIPTS).size()) {
        mailBefore.add(log.lines(HostileLines.MAIL).size());
      }
    }
    return mailBefore;
  }

  private static <F extends Fold> void check(
      String what, Random random, LineLog log, Fold.Kind<F> kind, List<Integer> mailBefore) {
    log.showAll();
    String whole = new FoldReader<>(log, Views.inMemory(), QUIET, kind).refresh().save().toString();
    assertThat(kind.load(dev.parley.core.json.Json.parse(whole)).save().toString())
        .as("saved and loaded, " + what)
        .isEqualTo(whole);
    for (Turns turns : Turns.values()) {
      String folded = inPieces(random, log, kind, mailBefore, turns);
      // Comparing first: a description of two megabytes is made only when it is needed.
      if (!folded.equals(whole)) {
        assertThat(folded).as(kind.view() + ", " + turns + ", " + what).isEqualTo(whole);
      }
    }
  }

  private enum Turns {
    /** Both topics as they were at some moments. */
    TOGETHER,
    /** The mail ahead of the receipts by any distance. */
    MAIL_AHEAD,
    /** As before, and now and then another process goes on from the view. */
    MAIL_AHEAD_FROM_VIEWS
  }

  private static <F extends Fold> String inPieces(
      Random random, LineLog log, Fold.Kind<F> kind, List<Integer> mailBefore, Turns turns) {
    Views views = Views.inMemory();
    int[] shown = new int[kind.topics().size()];
    int saveAfter = turns == Turns.MAIL_AHEAD_FROM_VIEWS ? 20 + random.nextInt(400) : 1 << 20;
    FoldReader<F> folded = new FoldReader<>(log, views, QUIET, kind, saveAfter);
    int piece = 1 + random.nextInt(200);
    boolean more = true;
    while (more) {
      more = false;
      for (int i = 0; i < shown.length; i++) {
        Topic topic = kind.topics().get(i);
        int size = log.lines(topic).size();
        int next = Math.min(size, shown[i] + random.nextInt(piece + 1));
        if (i == 1) {
          next = withMail(mailBefore, next, shown[0], turns);
        }
        shown[i] = Math.max(shown[i], next);
        more |= shown[i] < size;
        log.show(topic, shown[i]);
      }
      var _ = folded.refresh();
      if (turns == Turns.MAIL_AHEAD_FROM_VIEWS && random.nextInt(3) == 0) {
        folded = new FoldReader<>(log, views, QUIET, kind, saveAfter);
      }
    }
    log.showAll();
    return folded.refresh().save().toString();
  }

  /** How many receipts may be shown with so much mail: none that was written after more of it. */
  private static int withMail(List<Integer> mailBefore, int receipts, int mail, Turns turns) {
    int most = turns == Turns.TOGETHER ? mailBefore.size() : receipts;
    while (most > 0 && mailBefore.get(most - 1) > mail) {
      most--;
    }
    return most;
  }
}
