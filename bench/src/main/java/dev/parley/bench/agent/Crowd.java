package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Many agents with full inboxes.
 *
 * <pre>
 * fill    folder agents messages   filled
 * measure folder agents times      measured sendNanos listNanos    medians, of agents taken in turn
 * </pre>
 */
public final class Crowd implements Role {
  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    String folder = cue.word();
    int agents = cue.number();
    int number = cue.number();
    BusFolder made =
        BusFolder.init(
                Path.of(folder).resolve("bus"),
                Path.of(folder),
                Map.of(
                    "PARLEY_STATE", Path.of(folder).toAbsolutePath().resolve("state").toString()))
            .folder();
    try (Bus bus = made.open(new ParleyCarrier.Reports())) {
      if (what.equals("fill")) {
        fill(bus, made.views(), agents, number);
        stage.say("filled");
      } else {
        measure(bus, made.views(), agents, number, stage);
      }
    }
  }

  private static Session session(int agent) {
    return new Session("agent-" + agent, "secret-" + agent);
  }

  private static void fill(Bus bus, Views views, int agents, int messages) {
    Sessions sessions = new Team(bus.log(), views, new ParleyCarrier.Reports()).sessions();
    Json content = Json.object().put("subject", "Work").put("body", "x".repeat(60)).build();
    List<Message> mail = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      mail.add(Message.of("agent-0", "task", content));
    }
    for (int agent = 0; agent < agents; agent++) {
      var _ = sessions.join(session(agent), Sessions.Profile.NONE);
      var _ = bus.publish(Mailbox.mailOf("agent-" + agent), mail);
    }
  }

  private static void measure(Bus bus, Views views, int agents, int times, Stage stage) {
    long[] send = new long[times];
    long[] list = new long[times];
    Team team = new Team(bus.log(), views, new ParleyCarrier.Reports());
    Mail first = team.mail(session(0));
    for (int i = 0; i < times; i++) {
      int agent = i % agents;
      Mail mail = team.mail(session(agent));
      mail.setLimits(mail.limits().with(MailLimit.MESSAGES, 1_000_000));
      long from = System.nanoTime();
      var _ = first.send(Draft.task("agent-" + agent, "More", "x".repeat(60)));
      send[i] = System.nanoTime() - from;
      from = System.nanoTime();
      var _ = mail.inbox(MailFilter.ANY.since(new Position(Long.MAX_VALUE)));
      list[i] = System.nanoTime() - from;
    }
    Arrays.sort(send);
    Arrays.sort(list);
    stage.say("measured", send[times / 2], list[times / 2]);
  }
}
