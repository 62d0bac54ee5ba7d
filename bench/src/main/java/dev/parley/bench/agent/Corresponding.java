package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.coordination.Team;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.store.Views;
import java.time.Duration;

/**
 * Two of these send messages to each other, each waiting for the other's before it sends the next.
 *
 * <pre>
 * mail folder me other count first   done nanos    through the mail service, each message answered
 * log  folder me other count first   done nanos    the bare log: publish, and a feed
 * </pre>
 *
 * {@code first} is 1 for the one that begins. Both say {@code ready} before.
 */
public final class Corresponding implements Role {
  private static final Duration WAIT = Duration.ofSeconds(30);

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    String folder = cue.word();
    String me = cue.word();
    String other = cue.word();
    int count = cue.number();
    boolean first = cue.number() == 1;
    try (Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports())) {
      if (what.equals("mail")) {
        mail(bus, me, other, count, first, stage);
      } else {
        log(bus, me, other, count, first, stage);
      }
    }
  }

  private static void mail(Bus bus, String me, String other, int count, boolean first, Stage stage)
      throws Exception {
    Team team = new Team(bus.log(), Views.inMemory(), new ParleyCarrier.Reports());
    Mail mail = team.mail(team.join(me));
    Draft answer = Draft.answer("x".repeat(60));
    stage.say("ready");
    long from = System.nanoTime();
    if (first) {
      var _ = mail.sendAnyway(Draft.task(other, "First", "x".repeat(60)));
    }
    for (int i = 0; i < count; i++) {
      ReceivedMail letter = mail.await(MailFilter.ANY, WAIT);
      if (letter == null) {
        throw new IllegalStateException("nothing came");
      }
      var _ = mail.reply(letter.entry().id(), answer);
    }
    stage.say("done", System.nanoTime() - from);
  }

  private static void log(Bus bus, String me, String other, int count, boolean first, Stage stage)
      throws Exception {
    Topic to = new Topic("to." + other);
    Message message = ParleyCarrier.message("task", ParleyCarrier.payload("task"));
    try (Feed feed = bus.feed(Prefix.of("to." + me), FeedStart.BEGINNING)) {
      stage.say("ready");
      long from = System.nanoTime();
      for (int i = 0; i < count; i++) {
        if (first) {
          var _ = bus.publish(to, message);
        }
        Envelope envelope = feed.next(WAIT);
        if (envelope == null) {
          throw new IllegalStateException("nothing came");
        }
        if (!first) {
          var _ = bus.publish(to, message);
        }
      }
      stage.say("done", System.nanoTime() - from);
    }
  }
}
