package dev.parley.bench.figure;

import dev.parley.bench.carrier.CarrierClient;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.process.Actor;
import java.io.IOException;

/** One process sends, another takes: the rate until the last message has been taken. */
final class EndToEnd implements Contestant {
  private final FreshPlace ground;
  private final int batch;
  private final int count;
  private final Actor sender;
  private final Actor counter;

  EndToEnd(Lab lab, String carrier, int batch, int count) throws IOException, InterruptedException {
    this.ground = new FreshPlace(lab, carrier);
    this.batch = batch;
    this.count = count;
    ground.clear(ground.prepare()); // fails now if the server can't be had
    this.sender = lab.actor(CarrierClient.class);
    this.counter = lab.actor(CarrierClient.class);
  }

  @Override
  public Sample round() throws Exception {
    String place = ground.prepare();
    var _ = counter.ask("ready", "count", ground.carrier(), place, count);
    long from = sender.ask("sent", "send", ground.carrier(), place, batch, count).time();
    long to = counter.hear("counted").time();
    ground.clear(place);
    return Sample.rate(count, to - from);
  }

  @Override
  public void close() {
    sender.close();
    counter.close();
  }
}
