package dev.parley.cli.swarm;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.swarm.database.SwarmDatabase;
import dev.parley.dialects.swarm.database.SwarmSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The sessions of a mounted Swarm folder, under which its database keeps messages. */
public final class SessionCommand implements Command {
  public static final String NAME = "session";

  private static final Parameter ACTION =
      Parameter.required("action", "what to do").choices("start", "end", "list");
  private static final Parameter ID = Parameter.optional("id", "end: the id of the session");
  private static final Option GOAL = Option.value("--goal", "text", "start: the goal");
  private static final Option WORKFLOW =
      Option.value("--workflow", "workflow", "start: the kind of work (development)")
          .choices("research", "development", "architecture");
  private static final Option FAILED = Option.flag("--failed", "end: mark the session as failed");
  private static final Option MOUNT =
      Option.value("--mount", "name", "the Swarm folder, if several are mounted");

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.CONNECT,
        "start and end sessions of a mounted Swarm folder",
        "A session groups messages in the database of a Swarm folder, memory.db, which agents read"
            + " with sqlite3. start prints the id of the new session; parley send --session <id>"
            + " stores a message in it.",
        List.of(ACTION, ID),
        List.of(GOAL, WORKFLOW, FAILED, MOUNT),
        List.of(
            "parley session start --goal \"A message bus\"",
            "parley send developer --session 0f8f… --subject \"Tests\" --body \"Cover the"
                + " limits.\"",
            "parley session end 0f8f…",
            "parley session list"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    Path swarm = SwarmFolder.of(invocation, arguments.value(MOUNT));
    Output out = invocation.out();
    switch (arguments.required(ACTION)) {
      case "start" -> start(arguments, swarm, out);
      case "end" -> end(arguments, swarm, out);
      default -> list(swarm, out);
    }
    return ExitCode.OK;
  }

  private static void start(Arguments arguments, Path swarm, Output out) {
    String goal = arguments.value(GOAL, "");
    String workflow = arguments.value(WORKFLOW, "development");
    if (goal.isBlank()) {
      throw ParleyException.invalid("no-goal", "A session needs a goal.", "Give one: --goal \"…\"");
    }
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      String id = database.startSession(goal, workflow);
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("state", "started")
                .put("id", id)
                .put("goal", goal)
                .put("workflow", workflow)
                .build());
      } else {
        out.line(id);
      }
    }
  }

  private static void end(Arguments arguments, Path swarm, Output out) {
    String id = arguments.word(ID);
    if (id == null) {
      throw ParleyException.invalid(
          "missing-argument",
          "The id of the session is missing.",
          "parley session list shows them.");
    }
    SwarmDatabase.checkSession(swarm, id);
    boolean failed = arguments.has(FAILED);
    try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
      var _ = database.endSession(id, failed);
    }
    String state = failed ? "failed" : "complete";
    if (out.isJson()) {
      out.line(Json.object().put("state", state).put("id", id).build());
    } else {
      out.line(Printable.text(id) + " is " + state + ".");
    }
  }

  private static void list(Path swarm, Output out) {
    List<SwarmSession> sessions = List.of();
    if (Files.exists(swarm.resolve(SwarmDatabase.NAME))) {
      try (SwarmDatabase database = SwarmDatabase.open(swarm)) {
        sessions = database.sessions();
      }
    }
    if (out.isJson()) {
      sessions.forEach(session -> out.line(json(session)));
      return;
    }
    if (sessions.isEmpty()) {
      out.line("No session has begun. Start one: parley session start --goal \"…\"");
      return;
    }
    Table table = new Table();
    table.row("ID", "STATUS", "WORKFLOW", "BEGUN", "MESSAGES", "GOAL");
    for (SwarmSession session : sessions) {
      table.row(
          Printable.text(session.id()),
          Printable.text(session.status()),
          Printable.text(session.workflow()),
          Printable.text(session.createdAt()),
          String.valueOf(session.messages()),
          Printable.text(session.goal()));
    }
    table.print(out);
  }

  private static Json json(SwarmSession session) {
    return Json.object()
        .put("id", session.id())
        .put("status", session.status())
        .put("workflow", session.workflow())
        .put("goal", session.goal())
        .put("createdAt", session.createdAt())
        .put("completedAt", session.completedAt())
        .put("messages", session.messages())
        .build();
  }
}
