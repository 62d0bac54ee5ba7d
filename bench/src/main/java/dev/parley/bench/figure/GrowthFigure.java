package dev.parley.bench.figure;

import dev.parley.bench.agent.Attending;
import dev.parley.bench.agent.Replaying;
import dev.parley.bench.measure.Chart;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import java.io.IOException;
import java.nio.file.Path;

/** How each cost grows at 1×, 10×, 100× the messages and the subscribers. */
final class GrowthFigure implements Figure {
  private static final int[] TIMES = {1, 10, 100};
  private static final String APPEND = "append";
  private static final String REPLAY = "replay";
  private static final String RESUME = "resume";
  private static final String DELIVERY = "delivery";

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public String title() {
    return "How costs grow at 1×, 10×, 100× the messages and subscribers";
  }

  @Override
  public String method() {
    return """
    Messages: a topic that already holds so many; one append to it, replaying it (for each message), and \
    resuming (opening the bus, a feed at the end, and getting one new message). \
    Subscribers: subscriptions in one process; 1 message published and delivered to all, and that divided by \
    the subscribers. Topics and waiting processes have figures of their own.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) {
    messages(lab, outcome);
    subscribers(lab, outcome);
  }

  private static void messages(Lab lab, FigureResult outcome) {
    Chart chart =
        new Chart(
            "growth-messages",
            "Cost against messages in the topic",
            "messages (1× is 10,000)",
            "microseconds");
    int base = lab.size(10_000, 500);
    try (Race race = new Race(lab)) {
      for (int times : TIMES) {
        race.enter("messages: " + base * times, in -> new LongTopic(in, base * times));
      }
      race.run(lab.size(3, 1));
      outcome.take(race, APPEND, Unit.MICROS, "one append");
      outcome.take(race, REPLAY, Unit.MICROS, "replay of one");
      outcome.take(race, RESUME, Unit.MICROS, "resuming");
      for (int times : TIMES) {
        int messages = base * times;
        String name = "messages: " + messages;
        chart.label(messages, times + "×");
        chart.add("one append", messages, race.median(name, APPEND));
        chart.add("replay, each message", messages, race.median(name, REPLAY));
        chart.add("resuming at the end", messages, race.median(name, RESUME));
      }
    }
    outcome.chart(chart);
  }

  private static void subscribers(Lab lab, FigureResult outcome) {
    Chart chart =
        new Chart(
            "growth-subscribers",
            "Cost against subscribers in one process",
            "subscribers",
            "microseconds a message");
    try (Race race = new Race(lab)) {
      for (int times : TIMES) {
        race.enter("subscribers: " + times, in -> new Crowd(in, times));
      }
      race.run(lab.size(3, 1));
      outcome.take(race, DELIVERY, Unit.MICROS, "one message to all");
      for (int times : TIMES) {
        double all = race.median("subscribers: " + times, DELIVERY);
        chart.label(times, "" + times);
        chart.add("to all subscribers", times, all);
        chart.add("to each subscriber", times, all / times);
      }
    }
    outcome.chart(chart);
  }

  private static final class LongTopic implements Contestant {
    private final Path folder;
    private final int messages;
    private final int appends;
    private final Actor agent;
    private final Actor reader;

    LongTopic(Lab lab, int messages) throws Exception {
      this.folder = lab.newFolder();
      this.messages = messages;
      this.appends = lab.size(2_000, 200);
      this.agent = lab.actor(Attending.class);
      this.reader = lab.actor(Replaying.class);
      Replaying.fill(folder.toString(), messages);
    }

    @Override
    public Sample round() throws Exception {
      double replay = reader.ask("replayed", "replay", folder).time() / 1e3 / messages;
      double append = agent.ask("appended", "append", folder, appends, 0).time() / 1e3;
      double resume = agent.ask("resumed", "resume", folder, 50).time() / 1e3;
      return Sample.of(REPLAY, replay).and(APPEND, append).and(RESUME, resume);
    }

    @Override
    public void close() throws IOException {
      agent.close();
      reader.close();
      Lab.delete(folder);
    }
  }

  private static final class Crowd implements Contestant {
    private final Lab lab;
    private final int subscribers;
    private final int count;
    private final Actor actor;

    Crowd(Lab lab, int subscribers) throws Exception {
      this.lab = lab;
      this.subscribers = subscribers;
      this.count = lab.size(20_000, 1_000);
      this.actor = lab.actor(Attending.class);
    }

    @Override
    public Sample round() throws Exception {
      Path folder = lab.newFolder();
      long nanos = actor.ask("delivered", "subscribe", folder, subscribers, count).time();
      Lab.delete(folder);
      return Sample.of(DELIVERY, nanos / 1e3 / count);
    }

    @Override
    public void close() {
      actor.close();
    }
  }
}
