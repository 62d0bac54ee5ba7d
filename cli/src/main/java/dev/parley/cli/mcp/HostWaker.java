package dev.parley.cli.mcp;

import dev.parley.coordination.wake.WakeWay;
import dev.parley.core.ParleyException;
import dev.parley.mcp.hook.Host;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.wake.CodexQueue;
import dev.parley.mcp.wake.WaiterLock;
import dev.parley.mcp.wake.Waker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the agent of a host whose way is known to its MCP server, which lives as long as the host:
 * Codex by its queue, once a call has told the id of its thread. It also says on the bus that a
 * host has no way. Claude Code and OpenCode are woken by hooks of their own.
 */
final class HostWaker implements AutoCloseable {
  private final @Nullable Host host;
  private final AgentContext context;
  private final AtomicBoolean isWaiting = new AtomicBoolean();
  private volatile @Nullable Thread thread;

  private HostWaker(@Nullable Host host, AgentContext context) {
    this.host = host;
    this.context = context;
  }

  /**
   * That of a host.
   *
   * @param word what the host is called; null if that is not known
   */
  static HostWaker of(@Nullable String word, AgentContext context) throws InterruptedException {
    HostWaker waker = new HostWaker(word == null ? null : Host.find(word), context);
    waker.sayWay();
    return waker;
  }

  private void sayWay() throws InterruptedException {
    String why =
        switch (host) {
          case CODEX -> "no-call-yet";
          case GEMINI, CURSOR -> "host-has-no-way";
          case null, default -> null;
        };
    String agent = context.agent().name();
    // Another process may wake the agent in another way: parley run types into its pane.
    if (host != null && why != null && !WaiterLock.isHeld(context.busFolder(), agent)) {
      context.agent().waking().way(host.word(), WakeWay.NONE, why);
    }
  }

  /** Receives every tool call, because Codex's calls have the id of its thread. */
  void see(Call call) {
    if (host != Host.CODEX || isWaiting.get()) {
      return;
    }
    String id = call.meta().text("threadId", call.arguments().text("session", ""));
    if (id.matches("[0-9A-Za-z-]{8,64}") && isWaiting.compareAndSet(false, true)) {
      thread = Thread.ofPlatform().daemon().name("waker").start(() -> waitFor(id));
    }
  }

  private void waitFor(String id) {
    try (WaiterLock lock = WaiterLock.take(context.busFolder(), context.agent().name())) {
      while (lock != null) {
        try {
          context.agent().waking().way(Host.CODEX.word(), WakeWay.QUEUE, null);
          new Waker(context.agent()).wakeWith(new CodexQueue(id));
          return;
        } catch (ParleyException e) {
          Thread.sleep(AGAIN_MILLIS); // the disk was full, or the session begins again
        }
      }
    } catch (IOException | InterruptedException e) {
      // The server ends, or it can't be the only process that wakes the agent.
    } finally {
      isWaiting.set(false);
    }
  }

  private static final long AGAIN_MILLIS = 10_000;

  @Override
  public void close() {
    Thread waiting = thread;
    if (waiting != null) {
      waiting.interrupt();
    }
  }
}
