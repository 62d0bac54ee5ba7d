package dev.parley.filelog.testing;

import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that makes a bus and every kind of file in it. */
public final class BusMain {
  private BusMain() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    try (Bus bus = BusFolder.init(folder, folder, System.getenv()).folder().open(Reporter.TO_LOG)) {
      var _ = bus.publish(new Topic("notes"), Message.of("alice", "note", Json.NULL));
      CountDownLatch seen = new CountDownLatch(1);
      try (var _ = bus.subscribe(Prefix.ALL, FeedStart.cursor("me"), line -> seen.countDown())) {
        seen.await();
      }
    }
  }
}
