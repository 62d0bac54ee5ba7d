package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailLimits;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one bus of files. */
class MailBetweenProcessesTest {
  private static final int SENDERS = 8;
  private static final int READERS = 3;
  private static final int MESSAGES = Seed.isLong() ? 1_000 : 500;
  private static final int KILLS = 20;

  @TempDir private Path temporary;
  private Path folder;
  private BusFolder bus;
  private FileLog log;
  private Team team;

  @BeforeEach
  void openBus() {
    bus = BusFolder.init(null, temporary, Map.of()).folder();
    folder = bus.path();
    log = bus.openLog();
    team = new Team(log, bus.views(), Reporter.TO_LOG);
  }

  @AfterEach
  void closeBus() {
    log.close();
  }

  private AgentProcess start(Session session, String... what) throws Exception {
    return new AgentProcess(MailMain.class, temporary, folder, session, what);
  }

  @Test
  void ofWhatManyProcessesSendAndSeveralTakeEveryMessageHasOneEnd() throws Exception {
    Random random = Seed.random("mail between processes");
    long begin = System.nanoTime();
    Session reader = team.join("reader");
    int all = SENDERS * MESSAGES;
    team.mail(reader).setLimits(MailLimits.DEFAULT.with(MailLimit.MESSAGES, 2L * all));
    List<AgentProcess> senders = new ArrayList<>();
    List<AgentProcess> readers = new ArrayList<>();
    try {
      for (int i = 0; i < READERS; i++) {
        readers.add(start(reader, "end", "20", Long.toString(random.nextLong())));
      }
      for (int i = 0; i < SENDERS; i++) {
        Session sender = team.join("sender-" + i);
        senders.add(start(sender, "send", "reader", Integer.toString(MESSAGES)));
      }
      List<String> sent = new ArrayList<>();
      for (AgentProcess sender : senders) {
        sender.finish();
        sent.addAll(sender.said("sent"));
      }
      List<String> acknowledged = new ArrayList<>();
      List<String> removed = new ArrayList<>();
      for (AgentProcess one : readers) {
        one.finish();
        acknowledged.addAll(one.said("acknowledged"));
        removed.addAll(one.said("removed"));
      }
      List<String> ended = new ArrayList<>(acknowledged);
      ended.addAll(removed);

      assertThat(new HashSet<>(sent)).hasSize(all);
      assertThat(ended).doesNotHaveDuplicates().hasSize(all);
      assertThat(new HashSet<>(ended)).isEqualTo(new HashSet<>(sent));
      Mailbox mailbox =
          new FoldReader<>(log, Views.inMemory(), Reporter.TO_LOG, Mailbox.of("reader")).refresh();
      assertThat(mailbox.inbox()).isEmpty();
      assertThat(mailbox.received()).isEqualTo(all);
      mailbox
          .recent()
          .forEach(entry -> {
            assertThat(entry.state()).isEqualTo(DeliveryState.DONE);
            assertThat(entry.trail().stream().filter(step -> step.state() == DeliveryState.DONE))
                .hasSize(1);
            String how = acknowledged.contains(entry.id()) ? "acknowledged" : "removed";
            assertThat(entry.trail().getLast().note()).isEqualTo(how);
          });
      Seed.say(
          all
              + " messages of "
              + SENDERS
              + " processes, ended by "
              + READERS
              + ", each once, in "
              + Duration.ofNanos(System.nanoTime() - begin).toMillis()
              + " ms");
    } finally {
      senders.forEach(AgentProcess::close);
      readers.forEach(AgentProcess::close);
    }
  }

  @Test
  void aLetterWhoseReaderIsKilledBeforeItWasSeenComesAgain() throws Exception {
    Mail alice = team.mail(team.join("alice"));
    team.sessions().expect("alice", List.of("reader"));
    String id = alice.send(Draft.to("reader").says("", "important")).first().id();
    for (int kill = 0; kill < KILLS; kill++) {
      Session session = team.join("reader");
      try (AgentProcess reader = start(session, "give")) {
        assertThat(reader.awaitWord("given")).isEqualTo(id + " " + (kill > 0));
        reader.kill();
      }
      assertThat(alice.sent().getFirst().state()).isEqualTo("delivered");
      team.sessions().end("reader", session.id(), "its process was killed");
    }
    try (AgentProcess reader = start(team.join("reader"), "give")) {
      assertThat(reader.awaitWord("given")).isEqualTo(id + " true");
      reader.finish();
    }

    ReceivedMail letter = alice.findSent(id);
    assertThat(letter.state()).isEqualTo(DeliveryState.SEEN);
    assertThat(
            letter.entry().trail().stream().filter(step -> step.state() == DeliveryState.DELIVERED))
        .hasSize(KILLS + 1);
  }
}
