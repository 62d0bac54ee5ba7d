package dev.parley.bench.figure;

import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Installed;
import dev.parley.bench.process.Program;
import dev.parley.bench.process.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands as processes, wall time. */
final class CommandFigure implements Figure {
  private static final String WALL = "wall";
  private static final String PUBLISH = "parley publish";
  private static final String HELP = "parley --help";
  private static final String NODE = "Node.js script";
  private static final String BARE = "bare Java class with AOT cache";

  /** The launcher's. */
  static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:CompileThresholdScaling=5",
          "-Xlog:disable");

  private static final String SCRIPT =
      """
      const fs = require('fs');
      fs.appendFileSync(process.argv[2], JSON.stringify({type: 'note', payload: {text: 'hello'}}) + '\\n');
      """;

  @Override
  public String name() {
    return "command";
  }

  @Override
  public String title() {
    return "`parley publish` and `parley --help` as processes, wall time";
  }

  @Override
  public String method() {
    return """
    From starting the process to its end, one after the other. Ours: installed with \
    `parley install --prefix`. Node: a script that appends one line of JSON with `appendFileSync`. \
    The limit: a Java class that appends one line, with the same flags and a cache of its own.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    Path folder = lab.newFolder();
    try (Race race = new Race(lab)) {
      Installed installed = Installed.in(folder);
      race.enter(PUBLISH, in -> new Command(publish(installed), installed.environment()))
          .enter(HELP, in -> new Command(installed.command("--help"), Map.of()))
          .enter(NODE, in -> node(folder))
          .enter(BARE, in -> bare(folder))
          .run(lab.size(30, 3));
      outcome.take(race, WALL, Unit.MILLIS, "wall time");
      outcome.verdict(Bar.atMost(PUBLISH, 0.7, NODE).judge(race.ratio(PUBLISH, NODE, WALL)));
      outcome.verdict(Bar.atMost(HELP, 1.5, NODE).judge(race.ratio(HELP, NODE, WALL)));
    }
    Lab.delete(folder);
  }

  private static List<String> publish(Installed installed) {
    return installed.command(
        "publish", "notes", "--as", "bench", "--type", "note", "--payload", "{\"text\":\"hello\"}");
  }

  private static Contestant node(Path folder) throws IOException {
    Path script = Files.writeString(folder.resolve("append.js"), SCRIPT);
    return new Command(
        List.of(Server.program("node"), script.toString(), folder.resolve("node.jsonl").toString()),
        Map.of());
  }

  private static Contestant bare(Path folder) throws Exception {
    Path jar =
        Path.of(AppendLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path cache = folder.resolve("bare.aot");
    Program.run(java(jar, "-XX:AOTCacheOutput=" + cache, folder), Map.of());
    return new Command(java(jar, "-XX:AOTCache=" + cache, folder), Map.of());
  }

  private static List<String> java(Path jar, String cache, Path folder) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of(cache, "-cp", jar.toString(), AppendLine.class.getName()));
    command.add(folder.resolve("bare.jsonl").toString());
    return command;
  }

  /** A command, run once a round. */
  private record Command(List<String> words, Map<String, String> environment)
      implements Contestant {
    @Override
    public Sample round() throws Exception {
      long from = System.nanoTime();
      Program.run(words, environment);
      return Sample.of(WALL, (System.nanoTime() - from) / 1e6);
    }
  }
}
