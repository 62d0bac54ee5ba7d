package dev.parley.cli.hook;

import dev.parley.Agent;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Shell;
import dev.parley.coordination.wake.WakeWay;
import dev.parley.mcp.hook.Host;
import dev.parley.mcp.wake.Waker;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for mail for an idle agent, as a process that the agent's host has started. */
final class MailWaiter {
  /** How often it is checked that the host is still there. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** Hosts kill hooks after their timeout, so this ends a minute earlier. */
  private static final Duration LONGEST = Duration.ofHours(24).minusMinutes(1);

  private MailWaiter() {}

  /** For a host that is woken when a process ends. */
  static int endWithMail(Agent agent, Host host, Notices notices) throws InterruptedException {
    agent.waking().way(host.word(), WakeWay.HOOK, null);
    Waker waker = new Waker(agent);
    Waker.Granted granted = next(waker, () -> true);
    if (granted == null) {
      return ExitCode.OK;
    }
    waker.delivered(granted);
    notices.line("Parley: " + granted.notice());
    return ExitCode.USAGE;
  }

  /** For a host whose plugin reads notices, and says what came of them. */
  static int tellPlugin(Agent agent, Shell shell) throws InterruptedException {
    PluginPrompt plugin = PluginPrompt.over(shell.in(), shell.out());
    agent.waking().way(Host.OPENCODE.word(), WakeWay.PROMPT, null);
    Waker waker = new Waker(agent);
    for (Waker.Granted granted = next(waker, plugin::isThere);
        granted != null;
        granted = next(waker, plugin::isThere)) {
      rest(waker.wake(granted, plugin), plugin::isThere);
    }
    return ExitCode.OK;
  }

  private static void rest(Duration pause, BooleanSupplier isThere) throws InterruptedException {
    long end = System.nanoTime() + pause.toNanos();
    for (long left = pause.toNanos(); left > 0 && isThere.getAsBoolean(); ) {
      Thread.sleep(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
      left = end - System.nanoTime();
    }
  }

  /** Null if the host is gone, because nobody would read the notice. */
  private static Waker.@Nullable Granted next(Waker waker, BooleanSupplier isThere)
      throws InterruptedException {
    ProcessHandle host = ProcessHandle.current().parent().orElse(null);
    long end = System.nanoTime() + LONGEST.toNanos();
    Waker.Granted granted = null;
    while (granted == null
        && host != null
        && host.isAlive()
        && host.equals(ProcessHandle.current().parent().orElse(null))
        && isThere.getAsBoolean()
        && System.nanoTime() < end) {
      granted = waker.next(LOOK);
    }
    return granted;
  }
}
