package dev.parley.bench.figure;

import dev.parley.bench.mcp.Hosting;
import dev.parley.bench.mcp.SdkServer;
import dev.parley.bench.mcp.ServeProcess;
import dev.parley.bench.mcp.StdioServer;
import dev.parley.bench.measure.Bar;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Figure;
import dev.parley.bench.measure.FigureResult;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Race;
import dev.parley.bench.measure.Sample;
import dev.parley.bench.measure.Unit;
import dev.parley.bench.process.Actor;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Installed;
import dev.parley.bench.process.Program;
import dev.parley.core.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What agents' hosts notice of the MCP servers and the hooks. */
final class McpFigure implements Figure {
  private static final String STDIO = "parley mcp";
  private static final String SDK = "server on the Java SDK";
  private static final String SERVE = "parley serve, 8 clients";
  private static final String EDITS = "parley serve, edit check";
  private static final String HOOK = "parley hook gemini";
  private static final String EMPTY = "parley version";
  private static final String WALL = "wall";
  private static final String FIRST = "first";
  private static final String LISTED = "listed";
  private static final String MEMORY = "memory";
  private static final String P50 = "p50";
  private static final String P99 = "p99";
  private static final int CLIENTS = 8;
  private static final long IDLE_MILLIS = 2_000;

  /** What a server on the SDK needs, by the names of its jars. */
  private static final Pattern SDK_JARS =
      Pattern.compile(
          "(mcp|jackson|json-schema|itu|snakeyaml|reactor|reactive|slf4j-api|parley-bench).*[.]jar");

  @Override
  public String name() {
    return "mcp";
  }

  @Override
  public String title() {
    return "MCP servers and hooks, as a host of agents sees them";
  }

  @Override
  public String method() {
    return """
    *First answer*: from starting the process to its answer to `initialize`; then to that to `tools/list`. Ours is installed, opens a bus \
    and joins; the server on the Java SDK lists the same tools, which do nothing. Both have a start-up cache and the same flags. \
    *send*: 8 clients (`java.net.http`, one agent and one connection each), all in one other process, call the tool as fast as they can, to 8 readers in turn, who \
    end what they got after each round. *Edit check*: a `PreToolUse` hook, posted; every second one is of a path that somebody else holds, and refused; \
    and the same as a command, beside a command that does nothing. \
    *Idle memory* is what is resident two seconds after `tools/list`, mapped files included.\
    """;
  }

  @Override
  public void measure(Lab lab, FigureResult outcome) throws Exception {
    Path folder = lab.newFolder().toAbsolutePath();
    Installed installed = Installed.in(folder);
    firstAnswer(lab, outcome, installed, folder);
    idle(outcome, installed);
    http(lab, outcome, installed, folder);
    command(lab, outcome, installed, folder);
    Lab.delete(folder);
  }

  private static void firstAnswer(Lab lab, FigureResult outcome, Installed installed, Path folder) {
    try (Race race = new Race(lab)) {
      race.enter(STDIO, in -> new Starting(ours(installed), installed.environment()))
          .enter(SDK, in -> new Starting(sdk(installed, folder), Map.of()))
          .run(lab.size(20, 2));
      outcome.take(race, FIRST, Unit.MILLIS, "first answer");
      outcome.take(race, LISTED, Unit.MILLIS, "tools listed");
      outcome.verdict(
          Bar.atMost("first answer of " + STDIO, 0.6, SDK).judge(race.ratio(STDIO, SDK, FIRST)));
    }
  }

  private static List<String> ours(Installed installed) {
    return installed.command("mcp", "--as", "bench");
  }

  /** The command line of a server on the SDK, with its start-up cache, which is made now. */
  private static List<String> sdk(Installed installed, Path folder) throws IOException {
    Path tools = folder.resolve("tools.json");
    try (StdioServer server = new StdioServer(ours(installed), installed.environment())) {
      server.initialize();
      var _ = Files.writeString(tools, server.tools().toString());
    }
    Path cache = folder.resolve("sdk.aot");
    try (StdioServer training =
        new StdioServer(java("-XX:AOTCacheOutput=" + cache, tools), Map.of())) {
      training.initialize();
      var _ = training.tools();
    }
    if (!Files.exists(cache)) {
      throw new IOException("the start-up cache was not made");
    }
    return java("-XX:AOTCache=" + cache, tools);
  }

  private static List<String> java(String cache, Path tools) {
    List<String> jars = new ArrayList<>();
    for (String jar : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (SDK_JARS.matcher(Path.of(jar).getFileName().toString()).matches()) {
        jars.add(jar);
      }
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(CommandFigure.FLAGS);
    command.addAll(List.of(cache, "-cp", String.join(File.pathSeparator, jars)));
    command.addAll(List.of(SdkServer.class.getName(), tools.toString()));
    return command;
  }

  private static void idle(FigureResult outcome, Installed installed) throws Exception {
    try (StdioServer server = new StdioServer(ours(installed), installed.environment())) {
      server.initialize();
      var _ = server.tools();
      Thread.sleep(IDLE_MILLIS);
      outcome.verdict(
          Bar.absolute("idle memory of " + STDIO, Bar.Sense.AT_MOST, 104.9, "MB")
              .judge(server.megabytes()));
    }
  }

  private static void http(Lab lab, FigureResult outcome, Installed installed, Path folder)
      throws Exception {
    Path work = Files.createDirectory(folder.resolve("work"));
    try (ServeProcess server = new ServeProcess(installed, work);
        Race race = new Race(lab)) {
      race.enter(SERVE, in -> new Sending(in, server, lab.size(800, 40)))
          .run(lab.size(6, 1), lab.size(5, 1));
      outcome.take(race, Sample.RATE, Unit.PER_SECOND, "sends");
      outcome.take(race, P50, Unit.MILLIS, "send, p50");
      outcome.take(race, P99, Unit.MILLIS, "send, p99");
      outcome.take(race, MEMORY, Unit.MEGABYTES, "memory after a round");
      outcome.verdict(
          Bar.absolute("sends with 8 clients", Bar.Sense.AT_LEAST, 5_000, "/s")
              .judge(race.median(SERVE, Sample.RATE)));
      outcome.verdict(
          Bar.absolute("send with 8 clients, p50", Bar.Sense.AT_MOST, 2, "ms")
              .judge(race.median(SERVE, P50)));
    }
    try (ServeProcess server = new ServeProcess(installed, work);
        Race race = new Race(lab)) {
      race.enter(EDITS, in -> new Editing(in, server, work, lab.size(1_000, 100)))
          .run(lab.rounds());
      outcome.take(race, P50, Unit.MILLIS, "edit check, p50");
      outcome.take(race, P99, Unit.MILLIS, "edit check, p99");
      outcome.verdict(
          Bar.absolute("edit check over HTTP, p99", Bar.Sense.AT_MOST, 20, "ms")
              .judge(race.median(EDITS, P99)));
    }
  }

  /** The edit check as a command, for hosts that can do it in no other way. */
  private static void command(Lab lab, FigureResult outcome, Installed installed, Path folder)
      throws IOException {
    Json edit =
        Json.object()
            .put("hook_event_name", "BeforeTool")
            .put("cwd", folder.toString())
            .put("tool_name", "write_file")
            .put(
                "tool_input",
                Json.object().put("file_path", folder.resolve("a.txt").toString()).build())
            .build();
    Path input = Files.writeString(folder.resolve("edit.json"), edit.toString());
    try (Race race = new Race(lab)) {
      race.enter(EMPTY, in -> new Command(shell(installed, "version", input), installed))
          .enter(
              HOOK, in -> new Command(shell(installed, "hook gemini --as bench", input), installed))
          .run(lab.size(30, 3));
      outcome.take(race, WALL, Unit.MILLIS, "edit check as a command");
      outcome.verdict(Bar.atMost(HOOK, 1.5, EMPTY).judge(race.ratio(HOOK, EMPTY, WALL)));
    }
  }

  private static List<String> shell(Installed installed, String words, Path input) {
    String program = installed.command().getFirst();
    return List.of("sh", "-c", "exec \"$0\" " + words + " <\"$1\"", program, input.toString());
  }

  /** A command, run once a round. */
  private record Command(List<String> words, Installed installed) implements Contestant {
    @Override
    public Sample round() throws Exception {
      long from = System.nanoTime();
      Program.run(words, installed.environment());
      return Sample.of(WALL, (System.nanoTime() - from) / 1e6);
    }
  }

  /** A server, started once a round. */
  private record Starting(List<String> command, Map<String, String> environment)
      implements Contestant {
    @Override
    public Sample round() throws Exception {
      long from = System.nanoTime();
      try (StdioServer server = new StdioServer(command, environment)) {
        server.initialize();
        double first = (System.nanoTime() - from) / 1e6;
        var _ = server.tools();
        return Sample.of(FIRST, first).and(LISTED, (System.nanoTime() - from) / 1e6);
      }
    }
  }

  private static Actor hosting(Lab lab, ServeProcess server, int pairs) throws Exception {
    Actor actor = lab.actor(Hosting.class);
    List<Object> words = new ArrayList<>(List.of("begin", server.address(), pairs));
    for (String kind : List.of("sender-", "reader-")) {
      for (int i = 0; i < pairs; i++) {
        words.add(kind + i);
        words.add(server.token(kind + i));
      }
    }
    var _ = actor.ask("ready", words.toArray());
    return actor;
  }

  private static Sample sample(Cue done, long count) {
    Sample sample = Sample.rate(count, done.time());
    return sample.and(P50, done.time() / 1e6).and(P99, done.time() / 1e6);
  }

  private static final class Sending implements Contestant {
    private final ServeProcess server;
    private final int count;
    private final Actor hosts;

    Sending(Lab lab, ServeProcess server, int count) throws Exception {
      this.server = server;
      this.count = count;
      this.hosts = hosting(lab, server, CLIENTS);
    }

    @Override
    public Sample round() throws Exception {
      Cue done = hosts.ask("done", "send", count);
      Sample sample = sample(done, (long) count * CLIENTS);
      var _ = hosts.hear("read");
      return sample.and(MEMORY, server.megabytes());
    }

    @Override
    public void close() {
      hosts.close();
    }
  }

  private static final class Editing implements Contestant {
    private final Path folder;
    private final int count;
    private final Actor hosts;

    Editing(Lab lab, ServeProcess server, Path folder, int count) throws Exception {
      this.folder = folder;
      this.count = count;
      this.hosts = hosting(lab, server, 2);
    }

    @Override
    public Sample round() throws Exception {
      return sample(hosts.ask("done", "edit", folder, count), count);
    }

    @Override
    public void close() {
      hosts.close();
    }
  }
}
