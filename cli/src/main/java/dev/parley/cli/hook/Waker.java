package dev.parley.cli.hook;

import dev.parley.coordination.mail.Filter;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.SafeFiles;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.tools.AgentContext;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for mail in the place of an agent that is idle, and says when it is to be woken.
 *
 * <p>One wake stands for all mail that comes within some seconds; between two is a pause, and there
 * are only so many an hour: two agents that wake each other stop doing so. One process at a time
 * waits for an agent; hosts start one after every turn.
 */
final class Waker {
  /** How long it waits for more once there is mail. */
  static final Duration GATHER = Duration.ofSeconds(2);

  /** The least time between two wakes. */
  static final Duration PAUSE = Duration.ofSeconds(20);

  /** How many wakes there are in an hour at most. */
  static final int MOST_AN_HOUR = 30;

  private static final Duration WINDOW = Duration.ofHours(1);

  /** Hosts end hooks after a while; it is better to end by oneself. */
  private static final Duration LONGEST = Duration.ofMinutes(59);

  private final AgentContext agent;
  private final Path folder;

  Waker(AgentContext agent) {
    this.agent = agent;
    this.folder = agent.busFolder().resolve("hooks");
  }

  /** Waits; one line that says what came, or null if nobody is to be woken by this process. */
  @Nullable String await() throws InterruptedException {
    try {
      SafeFiles.createFolder(folder);
      Path lock = folder.resolve(agent.agent().name() + ".wait");
      if (!Files.exists(lock)) {
        SafeFiles.createFile(lock);
      }
      try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
          FileLock held = channel.tryLock()) {
        return held == null ? null : waitAlone();
      }
    } catch (IOException e) {
      return null;
    }
  }

  private @Nullable String waitAlone() throws InterruptedException, IOException {
    Duration rest = untilNextIsAllowed(Instant.now());
    if (!rest.isZero()) {
      Thread.sleep(rest);
    }
    if (agent.agent().mail().await(Filter.ANY, LONGEST) == null) {
      return null;
    }
    Thread.sleep(GATHER);
    String news = HookRules.news(agent);
    if (news != null) {
      remember(Instant.now());
    }
    return news;
  }

  private Duration untilNextIsAllowed(Instant now) {
    List<Instant> lately = lately(now);
    if (lately.isEmpty()) {
      return Duration.ZERO;
    }
    Instant next = lately.getLast().plus(PAUSE);
    if (lately.size() >= MOST_AN_HOUR) {
      next = lately.get(lately.size() - MOST_AN_HOUR).plus(WINDOW);
    }
    return next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
  }

  private List<Instant> lately(Instant now) {
    List<Instant> times = new ArrayList<>();
    try {
      for (Json time : Json.parse(Files.readString(file())).items()) {
        Instant at = Instant.ofEpochMilli(time.number(0));
        if (at.isAfter(now.minus(WINDOW)) && !at.isAfter(now)) {
          times.add(at);
        }
      }
    } catch (IOException | JsonException e) {
      // None yet.
    }
    return times;
  }

  private void remember(Instant now) throws IOException {
    List<Json> times = new ArrayList<>();
    lately(now).forEach(time -> times.add(Json.of(time.toEpochMilli())));
    times.add(Json.of(now.toEpochMilli()));
    if (!Files.exists(file())) {
      SafeFiles.createFile(file());
    }
    Files.write(file(), Json.of(times).toString().getBytes(StandardCharsets.UTF_8));
  }

  private Path file() {
    return folder.resolve(agent.agent().name() + ".wakes");
  }
}
