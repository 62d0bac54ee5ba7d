package dev.parley.bench.figure;

import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Program;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.keys.OwnerKeyDecisions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What signatures cost: a command, and reading a topic. */
final class SignedFigure implements Figure {
  private static final String WALL = "wall";
  private static final String SIGNED = "signed";
  private static final String UNSIGNED = "unsigned";
  private static final Topic NOTES = new Topic("notes");
  private static final int BATCH = 100;

  @Override
  public String name() {
    return "signed";
  }

  @Override
  public String title() {
    return "What a bus costs that requires signatures";
  }

  @Override
  public String method() {
    return """
    The same bus without and with `parley keys require`. Wall time of the command `parley publish`; and one \
    process that reads 100,000 lines of one topic, as every fold does that has no view yet.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    Path folder = lab.newFolder();
    int count = lab.size(100_000, 500);
    try (Race race = new Race(lab)) {
      race.enter(UNSIGNED, in -> new Publish(folder.resolve("plain"), false))
          .enter(SIGNED, in -> new Publish(folder.resolve("signed"), true))
          .run(lab.size(30, 3));
      outcome.take(race, WALL, Unit.MILLIS, "parley publish");
    }
    try (Race race = new Race(lab)) {
      race.enter(UNSIGNED, in -> new Reading(folder.resolve("read-plain"), false, count))
          .enter(SIGNED, in -> new Reading(folder.resolve("read-signed"), true, count))
          .run(lab.size(3, 1));
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "lines read");
    }
    Lab.delete(folder);
  }

  private static Map<String, String> environment(Path folder) {
    return Map.of("PARLEY_STATE", folder.toAbsolutePath().resolve("state").toString());
  }

  private static BusFolder make(Path folder, boolean signed) throws Exception {
    Path bus = folder.toAbsolutePath().resolve("bus");
    Files.createDirectories(folder);
    BusFolder made = BusFolder.init(bus, folder, environment(folder)).folder();
    if (signed) {
      try (FileLog log = made.openLog()) {
        var _ = new OwnerKeyDecisions(made, log).require();
      }
    }
    return BusFolder.find(bus, folder, environment(folder));
  }

  /** A command, run once a round. */
  private static final class Publish implements Contestant {
    private final Map<String, String> environment;
    private final List<String> words;

    Publish(Path folder, boolean signed) throws Exception {
      BusFolder bus = make(folder, signed);
      this.environment = environment(folder);
      this.words =
          List.of(
              Path.of(System.getProperty("parley.root", "."), "parley").toString(),
              "publish",
              "notes",
              "--bus",
              bus.path().toString(),
              "--as",
              "bench",
              "--type",
              "note",
              "--payload",
              "{\"text\":\"hello\"}");
    }

    @Override
    public Sample round() throws Exception {
      long from = System.nanoTime();
      Program.run(words, environment);
      return Sample.of(WALL, (System.nanoTime() - from) / 1e6);
    }
  }

  /** A topic, read once a round from its beginning. */
  private static final class Reading implements Contestant {
    private final BusFolder bus;
    private final int count;

    Reading(Path folder, boolean signed, int count) throws Exception {
      this.bus = make(folder, signed);
      this.count = count;
      try (FileLog log = bus.openLog()) {
        List<Message> batch = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          batch.add(Message.of("bench", "note", Json.object().put("text", "hello " + i).build()));
        }
        for (int i = 0; i < count; i += BATCH) {
          var _ = log.append(NOTES, batch);
        }
      }
    }

    @Override
    public Sample round() {
      long from = System.nanoTime();
      int read = 0;
      try (FileLog log = bus.openLog()) {
        for (Batch batch :
            WholeTopic.batches(place -> log.read(NOTES, place, 1024), Bookmark.START)) {
          read += batch.envelopes().size();
        }
      }
      if (read != count) {
        throw new IllegalStateException(read + " of " + count + " lines count");
      }
      return Sample.rate(count, System.nanoTime() - from);
    }
  }
}
