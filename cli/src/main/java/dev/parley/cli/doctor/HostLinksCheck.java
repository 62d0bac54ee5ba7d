package dev.parley.cli.doctor;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.guard.GuardCheck;
import dev.parley.cli.setup.SetupCommand;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.wake.WakeText;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeState;
import dev.parley.coordination.work.LockRequest;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.hook.Host;
import dev.parley.mcp.wake.Wakefulness;
import dev.parley.session.Caller;
import dev.parley.session.SessionFinder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tests every link between an agent's host and the bus, in the way the host uses it: settings, a
 * tool call, the edit guard, waking, the git guard.
 */
final class HostLinksCheck {
  private static final Duration WAKE_PATIENCE = Duration.ofSeconds(60);
  private static final int LOOK_MILLIS = 200;
  private static final String INSTALL_GUARD = "parley guard install";

  private final Invocation invocation;
  private final String agent;
  private final boolean wakes;
  private final Path bus;
  private final List<Link> links = new ArrayList<>();

  /** The result of a test. */
  private enum Result {
    WORKS,
    FAILS,
    /** Can't be tested from here, or only at a cost. */
    UNKNOWN
  }

  private record Link(String name, Result result, String message, @Nullable String next) {
    Json toJson() {
      return Json.object()
          .put("link", name)
          .put("works", result == Result.UNKNOWN ? Json.NULL : Json.of(result == Result.WORKS))
          .put("message", message)
          .put("next", next)
          .build();
    }
  }

  private HostLinksCheck(Invocation invocation, String agent, boolean wakes) {
    this.invocation = invocation;
    this.agent = new AgentName(agent).name();
    this.wakes = wakes;
    this.bus = invocation.bus().path();
  }

  /**
   * Tests the links and prints what works.
   *
   * @param wakes whether to wake the agent, which costs it a turn
   */
  static int run(Invocation invocation, String agent, boolean wakes)
      throws IOException, InterruptedException {
    HostLinksCheck links = new HostLinksCheck(invocation, agent, wakes);
    links.tryAll();
    return links.answer();
  }

  private void add(String name, Result result, String message, @Nullable String next) {
    links.add(new Link(name, result, message, next));
  }

  private void tryAll() throws IOException, InterruptedException {
    Caller caller = new Caller(agent, Map.of(), invocation.shell().folder());
    Session session =
        new SessionFinder(invocation.openedBus().team().sessions(), bus, caller).existing();
    if (session == null || !invocation.openedBus().team().sessions().isAlive(session)) {
      add(
          "session",
          Result.FAILS,
          "nobody has joined as " + agent + " on this machine",
          "Start its host here, or: parley join --as " + agent);
      return;
    }
    add("session", Result.WORKS, agent + " has joined", null);
    List<SetupCommand.SetUp> hosts = SetupCommand.setUp(invocation);
    if (hosts.isEmpty()) {
      add("settings", Result.FAILS, "no host is set up for this repository", "parley setup");
    }
    Parley parley = invocation.openedBus().parley();
    String running = parley.wakes(agent).host();
    // Nothing that is tried may count as an act of the agent: it would look awake.
    try (Agent doctor = join(parley, "doctor");
        Agent probe = join(parley, "doctor-probe")) {
      String name = doctor.name();
      String path = "parley-doctor-" + ProcessHandle.current().pid();
      var _ = doctor.lock(LockRequest.of(path).in("", true));
      for (SetupCommand.SetUp host : hosts) {
        if (running.equals(host.name()) || Host.find(running) == null) {
          host(host, probe.token(), name, path);
        }
      }
      wake(parley, doctor);
      gitGuard(name, path);
    }
  }

  private static Agent join(Parley parley, String name) {
    try {
      return parley.join(name);
    } catch (ParleyException e) {
      return parley.join(
          name + "-" + ProcessHandle.current().pid()); // another test runs under the usual name
    }
  }

  private void host(SetupCommand.SetUp host, String caller, String holder, String path)
      throws IOException, InterruptedException {
    String settings = host.name() + " settings";
    if (host.isCurrent()) {
      add(settings, Result.WORKS, "as parley setup writes them", null);
    } else {
      add(settings, Result.FAILS, "not as this version writes them", "parley setup " + host.name());
    }
    Host kind = Host.find(host.name());
    if (kind == null) {
      return;
    }
    HostProbe probe = new HostProbe(invocation, caller, kind);
    HostProbe.Answer tool = probe.tool();
    add(
        host.name() + " tool call",
        tool.works() ? Result.WORKS : Result.FAILS,
        tool.message(),
        tool.works() ? null : "Try it: " + probe.command());
    HostProbe.Answer hook = probe.edit(path, holder, host.isStrict());
    add(
        host.name() + " edit hook",
        hook.works() ? Result.WORKS : Result.FAILS,
        hook.message(),
        hook.works() ? null : "parley setup " + host.name());
    if (kind == Host.CODEX) {
      add(
          "codex trust",
          Result.UNKNOWN,
          "Codex runs hooks only once its user trusts them, and nobody else can see that",
          "Start codex here: it must not say \"Hooks need review\".");
    }
  }

  private void wake(Parley parley, Agent doctor) throws InterruptedException {
    Wakefulness known = Wakefulness.of(bus, agent, parley.wakes(agent));
    if (!known.able()) {
      add(
          "wake",
          Result.FAILS,
          agent + " can't be woken: " + WakeText.reason(known.why()),
          "Mail for it waits until its next turn. Its host's settings: parley setup");
      return;
    }
    if (!wakes) {
      add(
          "wake",
          Result.UNKNOWN,
          "somebody waits to wake " + agent + " by " + known.word(),
          "To try it, which costs a turn: parley doctor --agent " + agent + " --wake");
      return;
    }
    String id =
        doctor
            .mail()
            .send(Draft.to(agent).type("status").says("", "A test of waking: nothing to do."))
            .first()
            .id();
    Wake wake = awaitEnd(parley, id);
    boolean isWoken = wake != null && wake.state() == WakeState.WOKEN;
    add(
        "wake",
        isWoken ? Result.WORKS : Result.FAILS,
        wake == null ? "mail had no effect within a minute" : wake.state().word(),
        isWoken ? null : "parley wake list " + agent);
  }

  private @Nullable Wake awaitEnd(Parley parley, String id) throws InterruptedException {
    long end = System.nanoTime() + WAKE_PATIENCE.toNanos();
    Wake found = null;
    while (System.nanoTime() < end) {
      for (Wake wake : parley.wakes(agent).all()) {
        found = wake.mail().contains(id) ? wake : found;
      }
      if (found != null && found.state() == WakeState.WOKEN) {
        return found;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return found;
  }

  private void gitGuard(String holder, String path) throws IOException, InterruptedException {
    GuardCheck guard = GuardCheck.of(invocation.shell().folder());
    if (guard == null) {
      add("git guard", Result.FAILS, "it is not installed", INSTALL_GUARD);
      return;
    }
    String trouble = guard.trouble();
    if (trouble != null) {
      add("git guard", Result.FAILS, trouble, INSTALL_GUARD);
    } else if (guard.commitAs(agent, path).contains(holder + " holds " + path)) {
      add("git guard", Result.WORKS, "a commit of what somebody else holds is refused", null);
    } else {
      add(
          "git guard",
          Result.FAILS,
          "a commit of what somebody else holds passes",
          INSTALL_GUARD + "; look at what the hook says: " + guard.hook());
    }
  }

  private int answer() {
    Output out = invocation.out();
    boolean works = links.stream().noneMatch(link -> link.result() == Result.FAILS);
    if (out.isJson()) {
      links.forEach(link -> out.line(link.toJson()));
      out.line(Json.object().put("agent", agent).put("works", works).build());
      return works ? ExitCode.OK : ExitCode.FAILED;
    }
    Table table = new Table();
    table.row("LINK", "", "WHAT WAS SEEN");
    for (Link link : links) {
      String next = link.next();
      table.row(
          link.name(),
          switch (link.result()) {
            case WORKS -> out.styled(Style.GREEN, "works");
            case FAILS -> out.styled(Style.RED, "fails");
            case UNKNOWN -> "not tried";
          },
          Printable.text(link.message()) + (next == null ? "" : ". Next: " + next));
    }
    table.print(out);
    return works ? ExitCode.OK : ExitCode.FAILED;
  }
}
