package dev.parley.cli.gear;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.MessageFlow;
import java.util.List;
import java.util.Map;

/** Lists the messages of a project: who told whom what. */
public final class FlowCommand implements Command {
  public static final String NAME = "flow";

  private static final Option PROJECT =
      Option.value("--project", "name", "only this project (a message's run); last is the newest");
  private static final Option HISTORY =
      Option.flag("--history", "the messages whole, as one JSON array, as Gear 2 keeps a history");

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.CONNECT,
        "list the message flow of Gear projects",
        "Lists the messages of each project in Gear 2's form, oldest first: time, from → to, TYPE,"
            + " content. It includes mounted histories, messages of programs that use Gear's"
            + " message bus, and answers from agents of other designs. A project is a run of the"
            + " bus.",
        List.of(),
        List.of(PROJECT, HISTORY),
        List.of(
            "parley flow",
            "parley flow --project proj_abc123",
            "parley flow --json",
            "parley flow --project last --history"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    Map<String, List<AgentMessage>> projects = MessageFlow.projects(invocation.openedBus().log());
    String named = arguments.value(PROJECT);
    String wanted =
        "last".equals(named) && !projects.isEmpty()
            ? List.copyOf(projects.keySet()).getLast()
            : named;
    if (wanted != null && !projects.containsKey(wanted)) {
      throw ParleyException.refused(
          "no-such-project",
          "No message belongs to a project " + wanted + ".",
          projects.isEmpty()
              ? "Mount a history: parley mount gear message-history.json"
              : "There are: " + String.join(", ", projects.keySet()));
    }
    if (arguments.has(HISTORY)) {
      List<AgentMessage> messages =
          projects.entrySet().stream()
              .filter(project -> wanted == null || wanted.equals(project.getKey()))
              .flatMap(project -> project.getValue().stream())
              .toList();
      out.line(AgentMessage.array(messages));
      return ExitCode.OK;
    }
    boolean first = true;
    for (Map.Entry<String, List<AgentMessage>> project : projects.entrySet()) {
      if (wanted == null || wanted.equals(project.getKey())) {
        if (!first && !out.isJson()) {
          out.line("");
        }
        print(out, project.getKey(), project.getValue());
        first = false;
      }
    }
    if (projects.isEmpty() && !out.isJson()) {
      out.line("No message belongs to a project.");
    }
    return ExitCode.OK;
  }

  private static void print(Output out, String project, List<AgentMessage> messages) {
    if (out.isJson()) {
      messages.forEach(message -> out.line(json(project, message)));
      return;
    }
    out.line("Message flow of " + Printable.text(project) + ":");
    MessageFlow.lines(messages).forEach(line -> out.line(Printable.text(line)));
  }

  private static Json json(String project, AgentMessage message) {
    return Json.object()
        .put("project", project)
        .put("time", message.timestamp())
        .put("from", message.fromAgent())
        .put("to", message.toAgent())
        .put("type", message.messageType())
        .put("what", MessageFlow.about(message))
        .put("id", message.messageId())
        .put("correlation", message.correlationId())
        .put("requiresResponse", message.requiresResponse())
        .build();
  }
}
