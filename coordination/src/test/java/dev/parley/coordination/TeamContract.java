package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.Envelope;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;

/** What a team can rely on, whichever log it is on: a test for each subject extends this. */
public abstract class TeamContract extends OnEveryLog {
  protected static final Duration SECOND = Duration.ofSeconds(1);
  protected static final Duration LONG = Duration.ofSeconds(30);

  protected Team team;
  protected Session alice;
  protected Session bob;
  protected Mail alices;
  protected Mail bobs;

  @BeforeEach
  void openTeam() throws Exception {
    team = another();
    alice = team.join("alice");
    bob = team.join("bob");
    alices = team.mail(alice);
    bobs = team.mail(bob);
  }

  protected void pass(Duration time) {
    place.pass().accept(time);
  }

  protected Instant now() {
    return place.clock().instant();
  }

  protected List<Envelope> lines(Topic topic) {
    return WholeTopic.of(place.log(), topic);
  }

  protected List<Envelope> lines(Topic topic, String type) {
    return lines(topic).stream().filter(line -> line.type().equals(type)).toList();
  }

  protected static String send(Mail mail, String to, String body) {
    return mail.send(Draft.to(to).says("Subject", body)).first().id();
  }

  protected static List<String> bodies(Collection<ReceivedMail> letters) {
    return letters.stream().map(letter -> letter.content().body()).toList();
  }

  protected static List<DeliveryState> way(MailboxEntry entry) {
    return entry.trail().stream().map(DeliveryStep::state).toList();
  }

  protected SentMail sentBy(Mail mail, String id) {
    return mail.sent().stream()
        .filter(letter -> letter.copy().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  protected ReceivedMail only(Mail mail) {
    List<ReceivedMail> letters = mail.inbox(MailFilter.ANY);
    assertThat(letters).hasSize(1);
    return letters.getFirst();
  }

  protected static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    CyclicBarrier start = new CyclicBarrier(calls.size());
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> call : calls) {
        futures.add(
            threads.submit(() -> {
              start.await();
              return call.call();
            }));
      }
      for (Future<T> future : futures) {
        results.add(future.get());
      }
    }
    return results;
  }

  protected List<SendResult.Copy> chatter(int messages) {
    List<SendResult.Copy> copies = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      copies.add(
          alices.send(Draft.to("bob").thread("t").automatic(true).says("", "n" + i)).first());
    }
    return copies;
  }

  protected void quickStale() {
    team.sessions().staleAfter("alice", SECOND);
  }
}
