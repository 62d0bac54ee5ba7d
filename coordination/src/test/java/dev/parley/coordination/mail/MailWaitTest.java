package dev.parley.coordination.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.TeamContract;
import dev.parley.coordination.fold.Priority;
import dev.parley.core.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Waiting for mail, and listening to it. */
class MailWaitTest extends TeamContract {
  private ReceivedMail await(Mail mail, MailFilter filter) throws InterruptedException {
    return mail.await(filter, Duration.ZERO);
  }

  @Test
  void namesThatMeanSomethingElseCannotBeTaken() {
    refused("reserved-name", () -> team.join("all"));
    refused("reserved-name", () -> team.join("parley"));
  }

  @Test
  void aListenerIsCalledWithEveryLetterOnceAlsoWhenItThrows() throws Exception {
    send(alices, "bob", "before");
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (Mail.Listening _ =
        bobs.listen(
            MailFilter.ANY,
            letter -> {
              heard.add(letter.content().body());
              if (letter.content().body().equals("bad")) {
                throw new IllegalStateException("on purpose");
              }
            })) {
      send(alices, "bob", "bad");
      send(alices, "bob", "after");

      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("before");
      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("bad");
      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("after");
      Awaitility.await()
          .until(() -> alices.sent().stream().allMatch(sent -> sent.state().equals("delivered")));
    }
    assertThat(heard).isEmpty();
    assertThat(reports).singleElement().isInstanceOf(Report.HandlerFailed.class);
    reports.clear();
  }

  @Test
  void aWaitFindsWhatCameBefore() throws Exception {
    send(alices, "bob", "1");
    send(alices, "bob", "2");

    ReceivedMail letter = bobs.await(MailFilter.ANY, LONG);

    assertThat(letter.content().body()).isEqualTo("1");
  }

  @Test
  void aWaitIsEndedByWhatComesLater() throws Exception {
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<ReceivedMail> waiting =
          threads.submit(() -> bobs.await(MailFilter.ANY.types(List.of("news")), LONG));
      send(alices, "bob", "not this");
      alices.send(Draft.to("bob").type("news").says("", "this"));

      assertThat(waiting.get().content().body()).isEqualTo("this");
    }
  }

  @Test
  void aWaitEndsWithNothingWhenItsTimeIsOver() throws Exception {
    assertThat(bobs.await(MailFilter.ANY, Duration.ofMillis(20))).isNull();
  }

  @Test
  void aWaitTakesWhatItsFilterWants() throws Exception {
    Mail carols = team.mail(team.join("carol"));
    send(alices, "bob", "from alice");
    String carol = send(carols, "bob", "from carol");
    SendResult.Copy threaded =
        alices.send(Draft.to("bob").thread("t1").says("", "in thread")).first();
    alices.send(Draft.to("bob").replyTo(carol).says("", "reply"));
    alices.send(Draft.to("bob").priority(Priority.CRITICAL).says("", "critical"));
    alices.send(Draft.status("in_progress", "not yet"));
    alices.send(Draft.status("complete", "all done"));

    assertThat(await(bobs, MailFilter.ANY).content().body()).isEqualTo("from alice");
    assertThat(await(bobs, MailFilter.ANY.from(List.of("carol"))).content().body())
        .isEqualTo("from carol");
    assertThat(await(bobs, MailFilter.ANY.types(List.of("status"))).content().body())
        .isEqualTo("not yet");
    assertThat(await(bobs, MailFilter.ANY.thread("t1")).content().body()).isEqualTo("in thread");
    assertThat(await(bobs, MailFilter.ANY.replyTo(carol)).content().body()).isEqualTo("reply");
    assertThat(await(bobs, MailFilter.ANY.least(Priority.HIGH)).content().body())
        .isEqualTo("critical");
    assertThat(await(bobs, MailFilter.ANY.completion(true)).content().body()).isEqualTo("all done");
    assertThat(await(bobs, MailFilter.ANY.since(threaded.position())).content().body())
        .isEqualTo("reply");
    assertThat(
            await(bobs, MailFilter.ANY.also(letter -> letter.content().body().startsWith("in")))
                .content()
                .body())
        .isEqualTo("in thread");
    assertThat(await(bobs, MailFilter.ANY.from(List.of("dave")))).isNull();
  }

  @Test
  void aWaitGivesEachLetterToASessionOnce() throws Exception {
    send(alices, "bob", "1");
    send(alices, "bob", "2");
    List<String> got = new ArrayList<>();
    for (ReceivedMail letter = await(bobs, MailFilter.ANY);
        letter != null;
        letter = await(bobs, MailFilter.ANY)) {
      bobs.delivered(List.of(letter));
      got.add(letter.content().body());
    }

    assertThat(got).containsExactly("1", "2");
  }

  @Test
  void lettersAreSortedByUrgencyOrAge() {
    send(alices, "bob", "1");
    alices.send(Draft.to("bob").priority(Priority.CRITICAL).says("", "2"));
    alices.send(Draft.to("bob").priority(Priority.LOW).says("", "3"));
    alices.send(Draft.to("bob").priority(Priority.CRITICAL).says("", "4"));
    List<ReceivedMail> letters = bobs.inbox(MailFilter.ANY);

    assertThat(bodies(letters.stream().sorted(ReceivedMail.MOST_URGENT).toList()))
        .containsExactly("2", "4", "1", "3");
    assertThat(bodies(letters.stream().sorted(ReceivedMail.NEWEST).toList()))
        .containsExactly("4", "3", "2", "1");
  }
}
