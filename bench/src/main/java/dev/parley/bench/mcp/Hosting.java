package dev.parley.bench.mcp;

import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Hosts agents of a server.
 *
 * <pre>
 * begin address pairs (name token)…     ready: as many senders, then as many readers
 * send count                            done nanos p50 p99, each of the senders so often, all at once
 * edit folder count                     done nanos p50 p99, by the first two of them in turn
 * </pre>
 *
 * A sender writes to each reader in turn. The readers end what they got after each round, outside
 * the time, so that their inboxes do not fill.
 */
public final class Hosting implements Role {
  private static final String BODY = "x".repeat(60);

  private final List<HttpAgent> senders = new ArrayList<>();
  private final List<HttpAgent> readers = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  /** How long the sends of one sender took, and their ids by reader. */
  private record Calls(List<Long> nanos, List<List<String>> sent) {}

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    switch (cue.word()) {
      case "begin" -> {
        String address = cue.word();
        int pairs = cue.number();
        for (int i = 0; i < 2 * pairs; i++) {
          String name = cue.word();
          HttpAgent agent = new HttpAgent(address, cue.word());
          var _ = agent.call("who", Json.EMPTY_OBJECT);
          (i < pairs ? senders : readers).add(agent);
          if (i >= pairs) {
            names.add(name);
          }
        }
        stage.say("ready");
      }
      case "send" -> send(cue.number(), stage);
      default -> edit(cue.word(), cue.number(), stage);
    }
  }

  private void send(int count, Stage stage) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Calls>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(senders.size())) {
      for (int i = 0; i < senders.size(); i++) {
        int number = i;
        Callable<Calls> sending =
            () -> {
              go.await();
              return send(senders.get(number), number, count);
            };
        running.add(threads.submit(sending));
      }
      long from = System.nanoTime();
      go.countDown();
      List<Calls> all = new ArrayList<>();
      for (Future<Calls> calls : running) {
        all.add(calls.get());
      }
      long time = System.nanoTime() - from;
      say(stage, time, all.stream().flatMap(calls -> calls.nanos().stream()).sorted().toList());
      for (int reader = 0; reader < readers.size(); reader++) {
        List<String> ids = new ArrayList<>();
        for (Calls calls : all) {
          ids.addAll(calls.sent().get(reader));
        }
        var _ =
            readers
                .get(reader)
                .call("inbox", Json.object().put("done", Json.ofStrings(ids)).build());
      }
    }
    stage.say("read");
  }

  private Calls send(HttpAgent sender, int number, int count)
      throws IOException, InterruptedException {
    List<Long> nanos = new ArrayList<>();
    List<List<String>> sent = new ArrayList<>();
    names.forEach(name -> sent.add(new ArrayList<>()));
    for (int i = 0; i < count; i++) {
      int to = (number + i) % names.size();
      long from = System.nanoTime();
      Json answer =
          sender.call("send", Json.object().put("to", names.get(to)).put("body", BODY).build());
      nanos.add(System.nanoTime() - from);
      sent.get(to).add(String.valueOf(answer.fields().getOrDefault("id", Json.NULL).text()));
    }
    return new Calls(nanos, sent);
  }

  /** One of two edits many files; the other wants them as well, and is refused. */
  private void edit(String folder, int count, Stage stage)
      throws IOException, InterruptedException {
    List<Long> nanos = new ArrayList<>();
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      boolean first = i % 2 == 0;
      Json event =
          Json.object()
              .put("hook_event_name", "PreToolUse")
              .put("cwd", folder)
              .put("tool_name", "Edit")
              .put(
                  "tool_input",
                  Json.object().put("file_path", folder + "/File" + i / 2 % 100 + ".java").build())
              .build();
      long from = System.nanoTime();
      String answer = senders.get(first ? 0 : 1).tell(event);
      nanos.add(System.nanoTime() - from);
      if (answer.contains("deny") == first) {
        throw new IOException("edit " + i + ": " + answer);
      }
    }
    long time = System.nanoTime() - begun;
    say(stage, time, nanos.stream().sorted().toList());
  }

  private static void say(Stage stage, long time, List<Long> sorted) {
    int count = sorted.size();
    stage.say("done", time, sorted.get(count / 2), sorted.get(count * 99 / 100));
  }
}
