package dev.parley.bench.figure;

import dev.parley.bench.carrier.CarrierClient;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.process.Actor;
import dev.parley.bench.process.Cue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Processes send to one place: the rate of all together, and how many messages are missing. */
final class Senders implements Contestant {
  /** How many messages are missing, or there too often. */
  static final String WRONG = "wrong";

  private final FreshPlace ground;
  private final int batch;
  private final int count;
  private final boolean countedAfterwards;
  private final List<Actor> senders = new ArrayList<>();

  /**
   * Starts the processes.
   *
   * @param count messages of each process
   * @param countedAfterwards whether a reader then counts them all, outside the time
   */
  Senders(Lab lab, String carrier, int processes, int batch, int count, boolean countedAfterwards)
      throws IOException, InterruptedException {
    this.ground = new FreshPlace(lab, carrier);
    this.batch = batch;
    this.count = count;
    this.countedAfterwards = countedAfterwards;
    ground.clear(ground.prepare()); // fails now if the server can't be had
    for (int i = 0; i < processes; i++) {
      senders.add(lab.actor(CarrierClient.class));
    }
  }

  /** One process. */
  static Senders one(Lab lab, String carrier, int batch, int count)
      throws IOException, InterruptedException {
    return new Senders(lab, carrier, 1, batch, count, false);
  }

  @Override
  public Sample round() throws Exception {
    String place = ground.prepare();
    for (Actor sender : senders) {
      sender.tell("send", ground.carrier(), place, batch, count);
    }
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (Actor sender : senders) {
      Cue sent = sender.hear("sent");
      from = Math.min(from, sent.time());
      to = Math.max(to, sent.time());
    }
    int total = senders.size() * count;
    Sample sample = Sample.rate(total, to - from);
    if (countedAfterwards) {
      long found = senders.getFirst().ask("found", "tally", ground.carrier(), place, total).time();
      sample = sample.and(WRONG, (double) Math.abs(total - found));
    }
    ground.clear(place);
    return sample;
  }

  @Override
  public void close() {
    senders.forEach(Actor::close);
  }
}
