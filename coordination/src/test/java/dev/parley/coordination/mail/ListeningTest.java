package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.coordination.Team;
import dev.parley.coordination.testing.FullLog;
import dev.parley.core.Report;
import dev.parley.core.store.Views;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class ListeningTest {
  private final FullLog log = new FullLog();
  private final List<Report> reports = new CopyOnWriteArrayList<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  /** How many letters were sent whole: before that the disk must not be full. */
  private final Semaphore sent = new Semaphore(0);

  private final Team team = new Team(log, Views.inMemory(), reports::add);
  private final Mail alices = team.mail(team.join("alice"));
  private final Mail bobs = team.mail(team.join("bob"));

  private void send(String body) {
    var _ = alices.send(Draft.to("bob").type("note").says("", body));
    sent.release();
  }

  @Test
  void aFullDiskMakesNoListenerDeafNorHearTwice() {
    try (Mail.Listening _ =
        bobs.listen(
            MailFilter.ANY,
            letter -> {
              sent.acquireUninterruptibly();
              heard.add(letter.content().body());
              log.fill(heard.size() == 1);
            })) {
      send("1");
      await().until(() -> !reports.isEmpty());
      assertThat(reports).allMatch(Report.Retried.class::isInstance);
      log.fill(false);
      send("2");

      await().until(() -> heard.size() == 2);
      await()
          .until(() -> alices.sent().stream().allMatch(sent -> sent.state().equals("delivered")));
    }
    assertThat(heard).containsExactly("1", "2");
    log.close();
  }
}
