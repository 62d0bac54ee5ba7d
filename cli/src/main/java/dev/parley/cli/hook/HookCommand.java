package dev.parley.cli.hook;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.mcp.HostAgent;
import dev.parley.cli.mcp.HostSubAgents;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.Timestamps;
import dev.parley.mcp.hook.HookAnswer;
import dev.parley.mcp.hook.HookEvent;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.hook.Host;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentSource;
import dev.parley.mcp.wake.WaiterLock;
import dev.parley.session.Caller;
import dev.parley.text.Explanation;
import dev.parley.text.NextSteps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers a hook of an agent's host. An error never stops the agent's work. */
public final class HookCommand implements Command {
  private static final int MOST_BYTES = 8 << 20;

  /** Our own event: waits for mail, for hosts that are woken when a process ends. */
  private static final String WAIT = "wait";

  /** What a strict hook is called for, whatever its input says. */
  private static final String BEFORE_EDIT = "PreToolUse";

  private static final String UNREADABLE =
      "Parley can't tell which path is edited: the host's input is not a JSON object.";

  private static final Parameter HOST =
      Parameter.required("host", "who calls")
          .choices("claude", "codex", "gemini", "cursor", "opencode");
  private static final Parameter EVENT =
      Parameter.optional("event", "what happened, if the input does not say; wait: wait for mail");
  private static final Option STRICT =
      Option.flag("--strict", "refuse an edit if it can't be found out whether somebody holds it");

  @Override
  public Description description() {
    return new Description(
        "hook",
        Group.PLUMBING,
        "answer a hook of an agent's host",
        "Reads what the host says on stdin, and answers on stdout in the host's own form: edits of"
            + " paths that somebody else holds are refused, and others take the path; mail is"
            + " announced once; a stop with unanswered questions or unfinished tasks is answered"
            + " with a reminder, each at most twice. parley setup writes these hooks into the"
            + " host's settings. Malformed input, or a bus that can't be used, is answered with {}:"
            + " the agent's work goes on, unless --strict says otherwise. The event wait ends with"
            + " exit code 2 and a line on stderr once there is mail, which wakes Claude Code.",
        List.of(HOST, EVENT),
        List.of(STRICT),
        List.of("parley hook claude <input.json", "parley hook gemini BeforeTool --strict"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    String hostWord = invocation.arguments().word(HOST);
    Host host = Host.find(hostWord == null ? "" : hostWord);
    String event = invocation.arguments().word(EVENT);
    if (host == null) {
      invocation.out().line(Json.EMPTY_OBJECT);
      return ExitCode.OK;
    }
    if (WAIT.equals(event)) {
      return waitForMail(invocation, host);
    }
    boolean strict = invocation.arguments().has(STRICT);
    Fields given = read(invocation);
    if (given == null && strict) {
      HookEvent edit = HookEvent.of(host, BEFORE_EDIT, Fields.of(null));
      invocation.out().line(HookAnswer.refuse(UNREADABLE).write(edit));
      return ExitCode.OK;
    }
    Fields input = given == null ? Fields.of(null) : given;
    HookEvent told = HookEvent.of(host, event, input);
    if (told.kind() == HookEvent.Kind.WORKTREE_CREATE) {
      return HostWorktrees.create(invocation, input);
    }
    if (told.kind() == HookEvent.Kind.WORKTREE_REMOVE) {
      return HostWorktrees.remove(invocation, input);
    }
    Json answer;
    try {
      answer = answer(invocation, told, input);
    } catch (RuntimeException e) {
      answer = failed(invocation, told, e, strict);
    }
    invocation.out().line(answer);
    return ExitCode.OK;
  }

  /** The host's input; null if it is not a JSON object. */
  private static @Nullable Fields read(Invocation invocation) throws IOException {
    byte[] bytes = invocation.shell().in().readNBytes(MOST_BYTES);
    int from = startsWithByteOrderMark(bytes) ? 3 : 0; // hosts on Windows send one
    try {
      String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
      Json input = text.isBlank() ? Json.NULL : Json.parse(text);
      return input.isObject() ? Fields.of(input) : null;
    } catch (JsonException e) {
      invocation.notices().say("the host's input is not JSON; passed over");
      return null;
    }
  }

  private static boolean startsWithByteOrderMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf;
  }

  private static Json answer(Invocation invocation, HookEvent event, Fields input) {
    if (event.kind() == HookEvent.Kind.OTHER
        || (event.kind() == HookEvent.Kind.BEFORE_TOOL && event.paths().isEmpty())) {
      return Json.EMPTY_OBJECT;
    }
    AgentContext agent = agent(invocation, event.host(), event.folder(), input);
    HookAnswer answer =
        new HookRules(agent, new HostSubAgents(agent, invocation.openedBus().team().sessions()))
            .answer(event);
    return answer.write(event);
  }

  private static AgentContext agent(
      Invocation invocation, Host host, @Nullable Path folder, Fields input) {
    Path bus = invocation.bus().path();
    Path where = folder != null && Files.isDirectory(folder) ? folder : invocation.shell().folder();
    Map<String, String> environment = new HashMap<>(invocation.shell().environment());
    if (host == Host.CODEX) {
      // Codex sets this variable for its commands, but gives hooks the session only in the input.
      environment.putIfAbsent("CODEX_THREAD_ID", input.text("session_id", ""));
    }
    Caller caller = new Caller(invocation.arguments().value(CommonOptions.AS), environment, where);
    Parley parley = invocation.openedBus().parley();
    Sessions sessions = parley.team().sessions();
    AgentSource source =
        new AgentSource(() -> HostAgent.joined(parley, sessions, bus, caller, host.word()));
    return new AgentContext(parley, source, WorkingTree.of(where, bus), bus);
  }

  private static Json failed(
      Invocation invocation, HookEvent event, RuntimeException error, boolean strict) {
    String why = String.valueOf(error.getMessage());
    if (error instanceof ParleyException refused) {
      if (refused.code().equals("no-bus")) {
        return Json.EMPTY_OBJECT; // nothing to guard
      }
      Explanation explained = Explanation.of(refused, NextSteps.SHELL, Timestamps::format);
      why = explained.message() + " " + explained.next();
    }
    invocation.notices().say(why);
    boolean refuse = strict && event.kind() == HookEvent.Kind.BEFORE_TOOL;
    return refuse
        ? HookAnswer.refuse("Parley can't tell who holds this path: " + why).write(event)
        : Json.EMPTY_OBJECT;
  }

  private static int waitForMail(Invocation invocation, Host host)
      throws IOException, InterruptedException {
    Fields given = host == Host.OPENCODE ? null : read(invocation);
    Fields input = given == null ? Fields.of(null) : given;
    if (host == Host.CLAUDE && !ClaudeMode.canBeWoken(invocation.shell().environment())) {
      return ExitCode.OK;
    }
    Path bus;
    try {
      bus = invocation.bus().path();
    } catch (ParleyException e) {
      return ExitCode.OK; // no bus, so there is nobody to wake
    }
    try {
      Agent agent = agent(invocation, host, null, input).agent();
      try (WaiterLock lock = WaiterLock.take(bus, agent.name())) {
        if (lock == null) {
          return ExitCode.OK; // hosts start one after every turn; one is enough
        }
        return host == Host.OPENCODE
            ? MailWaiter.tellPlugin(agent, invocation.shell())
            : MailWaiter.endWithMail(agent, host, invocation.notices());
      }
    } catch (ParleyException e) {
      invocation.notices().say(Explanation.messageOf(e));
      return ExitCode.OK;
    }
  }
}
