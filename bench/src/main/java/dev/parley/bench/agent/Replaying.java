package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a topic from its beginning.
 *
 * <pre>
 * replay folder            replayed nanos count  of one type, through a feed
 * heap   folder count      heap early late       bytes in use after a tenth, and after all
 * scan   folder            scanned nanos count   newlines of the file: the physical limit
 * </pre>
 */
public final class Replaying implements Role {
  private static final int TYPES = 10;
  private static final String WANTED = "kind-3";
  private static final int AT_ONCE = 500;

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    String folder = cue.word();
    switch (what) {
      case "replay" -> {
        long from = System.nanoTime();
        long found = replay(folder);
        stage.say("replayed", System.nanoTime() - from, found);
      }
      case "heap" -> heap(folder, cue.number(), stage);
      case "scan" -> {
        long from = System.nanoTime();
        long found = scan(folder);
        stage.say("scanned", System.nanoTime() - from, found);
      }
      default -> throw new IllegalArgumentException(what);
    }
  }

  /** Appends messages of ten types, in turn. */
  public static void fill(String folder, int count) {
    Json payload = ParleyCarrier.payload(WANTED);
    try (Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports())) {
      List<Message> messages = new ArrayList<>();
      for (int i = 1; i <= count; i++) {
        messages.add(ParleyCarrier.message("kind-" + i % TYPES, payload));
        if (messages.size() == AT_ONCE || i == count) {
          var _ = bus.publish(ParleyCarrier.TOPIC, messages);
          messages.clear();
        }
      }
    }
  }

  /** How many messages are of one of the ten types. */
  public static long replay(String folder) {
    ParleyCarrier.Reports reports = new ParleyCarrier.Reports();
    long found = 0;
    try (Bus bus = ParleyCarrier.open(folder, reports);
        Feed feed = bus.feed(new Prefix(ParleyCarrier.TOPIC), FeedStart.BEGINNING)) {
      for (Envelope next = feed.poll(); next != null; next = feed.poll()) {
        if (next.type().equals(WANTED)) {
          found++;
        }
      }
    }
    reports.check();
    return found;
  }

  private static void heap(String folder, int count, Stage stage) {
    long early = 0;
    int seen = 0;
    try (Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports());
        Feed feed = bus.feed(new Prefix(ParleyCarrier.TOPIC), FeedStart.BEGINNING)) {
      for (Envelope next = feed.poll(); next != null; next = feed.poll()) {
        if (++seen == count / 10) {
          early = used();
        }
      }
      stage.say("heap", early, used());
    }
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** How many lines the topic's file has. */
  public static long scan(String folder) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
    byte[] bytes = new byte[buffer.capacity()];
    long lines = 0;
    Path file = Path.of(folder, ParleyCarrier.TOPIC.name() + ".jsonl");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (int count = channel.read(buffer); count >= 0; count = channel.read(buffer)) {
        buffer.flip().get(bytes, 0, count);
        for (int i = 0; i < count; i++) {
          if (bytes[i] == '\n') {
            lines++;
          }
        }
        buffer.clear();
      }
    }
    return lines;
  }
}
