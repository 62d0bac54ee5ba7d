package dev.parley.cli.hook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.core.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four agents, each with a server process of its own, edit the same few files. */
@Timeout(200)
class EditingAgentsIT {
  private static final boolean LONG = Boolean.getBoolean("parley.long");
  private static final long SECONDS = LONG ? 60 : 5;
  private static final int AGENTS = 4;
  private static final int FILES = 3;

  @TempDir Path temp;
  private Path repo;

  /** Who may write each file now, as far as the hooks have said. */
  private final Map<String, String> holders = new ConcurrentHashMap<>();

  private final AtomicInteger allowed = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /** An agent's host: asks the hook before it writes, as Claude Code does. */
  private final class Host implements AutoCloseable {
    private final String agent;
    private final Process server;
    private final BufferedReader out;
    private int id;

    Host(String agent) throws IOException {
      this.agent = agent;
      ProcessBuilder builder =
          new ProcessBuilder(Launched.parley().toString(), "mcp", "--as", agent)
              .directory(repo.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().keySet().removeAll(List.of("PARLEY_AGENT", "PARLEY_BUS"));
      server = builder.start();
      out = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8));
      ask("initialize", Json.object().put("protocolVersion", "2025-11-25").build());
    }

    private String ask(String method, Json params) throws IOException {
      Json request =
          Json.object()
              .put("jsonrpc", "2.0")
              .put("id", ++id)
              .put("method", method)
              .put("params", params)
              .build();
      server.getOutputStream().write((request + "\n").getBytes(UTF_8));
      server.getOutputStream().flush();
      String answer = out.readLine();
      assertThat(answer).as("answer of %s's server", agent).isNotNull();
      return answer;
    }

    private String call(String tool, Json arguments) throws IOException {
      return ask("tools/call", Json.object().put("name", tool).put("arguments", arguments).build());
    }

    void edit(String file) throws IOException {
      Json event =
          Json.object()
              .put("host", "claude")
              .put("event", "PreToolUse")
              .put("tool", "edit")
              .put("path", repo.resolve(file).toString())
              .build();
      if (call("hook", event).contains("deny")) {
        refused.incrementAndGet();
        return;
      }
      allowed.incrementAndGet();
      assertThat(holders.putIfAbsent(file, agent)).as("who may write " + file).isNull();
      Files.writeString(repo.resolve(file), agent);
      assertThat(repo.resolve(file)).hasContent(agent);
      holders.remove(file);
      call("unlock", Json.object().put("paths", Json.ofStrings(List.of(file))).build());
    }

    @Override
    public void close() {
      server.destroyForcibly();
    }
  }

  @Test
  void noFileIsWrittenByTwoAtATime() throws Exception {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    try (Launched git = Launched.bash(repo, "git init -q && $parley init")) {
      assertThat(git.answer().exitCode()).isZero();
    }
    long seed = Long.getLong("parley.seed", System.nanoTime());
    System.out.println("[seed] " + seed);
    List<Host> hosts = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (int i = 0; i < AGENTS; i++) {
        hosts.add(new Host("agent-" + i));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<Future<?>> work = new ArrayList<>();
      for (int i = 0; i < AGENTS; i++) {
        Host host = hosts.get(i);
        Random random = new Random(seed + i);
        work.add(
            threads.submit(() -> {
              while (System.nanoTime() < end) {
                host.edit("file-" + random.nextInt(FILES));
              }
              return null;
            }));
      }
      for (Future<?> one : work) {
        one.get();
      }
    } finally {
      hosts.forEach(Host::close);
    }
    System.out.println("[proof] " + allowed + " edits, " + refused + " refused");
    assertThat(allowed.get()).isGreaterThan(20);
    assertThat(refused.get()).isPositive();
  }
}
