package dev.parley.cli.mount;

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
import dev.parley.dialects.mount.Dialect;
import dev.parley.dialects.mount.Mount;
import dev.parley.dialects.mount.Mounts;
import java.nio.file.Path;
import java.util.List;

/** Mounts the files of another tool on the bus. */
public final class MountCommand implements Command {
  // Literals instead of the mount code's constants: help must not load mount code. Otherwise the
  // start-up cache, made from a run of help, would load it into every command.
  private static final Parameter DIALECT =
      Parameter.required("dialect", "the tool whose files they are")
          .choices("markdown", "swarm", "conclave", "conductor", "gear");
  private static final Parameter PATH = Parameter.required("path", "the tool's own folder or file");
  private static final Parameter MOUNTED = Parameter.required("mount", "the name of the mount");
  private static final Option NAME =
      Option.value("--name", "name", "the name of the mount (default: the dialect)");
  private static final Option TOPIC =
      Option.value(
          "--topic",
          "topic",
          "the topic for messages without a recipient; conclave: * means all topics");

  private static final Option OUTSIDE =
      Option.flag("--outside", "allow a path outside the repository");

  private static final Option CHECK =
      Option.flag("--check", "show what is in step, what is not, and why");

  private static final Option ROUTE_OLD =
      Option.flag("--route-old", "swarm: also deliver outbox entries that count as read");

  @Override
  public Description description() {
    return Description.family(
        "mount",
        Group.CONNECT,
        "tie another tool's files to the bus",
        "After that, every command first reads what is new in those files into the log, and then"
            + " writes what the log has for them; parley bridge does so continuously. Agents that"
            + " use those files get their mail there, and their answers reach the bus. Messages"
            + " without a recipient are mirrored with a topic; two mounts with the same topic"
            + " mirror each other. Removing a mount changes no file. Mounting is your decision: it"
            + " is kept in your own state folder, and nothing that is written to the bus can add a"
            + " mount. A path outside the repository (or, without one, outside the folder that"
            + " holds the bus) needs --outside. In a Swarm folder, an outbox entry that its"
            + " recipient no longer has counts as read if it is older than the mount, or if it is"
            + " not known whether its sender puts messages into inboxes itself; parley mount list"
            + " --check names the latter. --route-old delivers both, now or later.",
        "add",
        List.of(
            Description.sub(
                "add",
                "mount files",
                List.of(DIALECT, PATH),
                List.of(NAME, TOPIC, OUTSIDE, ROUTE_OLD)),
            Description.sub("list", "list mounts", List.of(), List.of(CHECK)),
            Description.sub(
                    "show",
                    "show what is in a mount's own files",
                    List.of(MOUNTED),
                    SwarmMountView.OPTIONS)
                .saying(
                    "Of a Swarm folder: how many messages are in each inbox and outbox; with"
                        + " --outbox or --inbox the messages of one queue, with --dump those of"
                        + " all, as one JSON object. Nothing is marked as read. For Gear's message"
                        + " flow see parley flow."),
            Description.sub(
                "remove", "remove a mount; its files do not change", List.of(MOUNTED), List.of())),
        List.of(
            "parley mount swarm .swarm",
            "parley mount swarm .swarm --route-old",
            "parley mount markdown MESSAGE-BUS.md --topic notes",
            "parley mount gear .moderator/state/project_proj_1/message-history.json",
            "parley mount list",
            "parley mount list --check",
            "parley mount show swarm",
            "parley mount show swarm --outbox reviewer --since 10m",
            "parley mount remove swarm"));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    try (Mounts mounts =
        new Mounts(
            invocation.bus(), invocation.notices(), RemarkNotices.to(invocation.notices()))) {
      switch (arguments.subcommand()) {
        case "list" -> {
          if (arguments.has(CHECK)) {
            return MountReport.print(out, mounts.check());
          }
          list(out, mounts.list());
        }
        case "show" -> show(invocation, named(mounts, arguments.required(MOUNTED)));
        case "remove" -> {
          Mount mount = mounts.remove(arguments.required(MOUNTED));
          answer(out, "removed", mount, 0);
        }
        default -> {
          String path = arguments.required(PATH);
          String topic = arguments.value(TOPIC);
          Path files = invocation.path("path", path).normalize();
          Dialect dialect = Dialect.named(arguments.required(DIALECT));
          dialect.check(files);
          checkInside(invocation, files);
          boolean routesOld = arguments.has(ROUTE_OLD);
          Mount before = routesOld ? mounts.at(files) : null;
          Mount mount =
              before != null
                  ? before
                  : mounts.mount(
                      dialect,
                      files,
                      arguments.value(NAME),
                      Mount.topicsNamed(topic == null ? dialect.usualTopic() : topic));
          mounts.sync();
          int old = routesOld ? mounts.recall(mount) : mounts.past(mount);
          if (routesOld) {
            mounts.sync();
          }
          answer(out, before == null ? "mounted" : "routed", mount, old);
        }
      }
    }
    return ExitCode.OK;
  }

  private static Mount named(Mounts mounts, String name) {
    return mounts.list().stream()
        .filter(mount -> mount.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            ParleyException.refused(
                "no-such-mount",
                "There is no mount " + name + ".",
                "List them: parley mount list"));
  }

  private static void show(Invocation invocation, Mount mount) {
    if (mount.dialect() == Dialect.SWARM) {
      SwarmMountView.show(invocation, mount);
      return;
    }
    invocation.arguments().refuseOthers("a " + mount.dialect().word() + " mount");
    list(invocation.out(), List.of(mount));
  }

  private static void checkInside(Invocation invocation, Path files) {
    if (!invocation.arguments().has(OUTSIDE)
        && !invocation.bus().surrounds(files, invocation.shell().folder())) {
      throw ParleyException.refused(
          "outside",
          files + " is outside the repository, or the folder, that the bus belongs to.",
          "To let Parley write there, add --outside.");
    }
  }

  private static void list(Output out, List<Mount> mounts) {
    if (out.isJson()) {
      mounts.forEach(mount -> out.line(mount.toJson()));
    } else if (mounts.isEmpty()) {
      out.line("No mounts.");
    } else {
      Table table = new Table();
      table.row("NAME", "DIALECT", "TOPIC", "PATH");
      for (Mount mount : mounts) {
        table.row(
            mount.name(),
            mount.dialect().word(),
            mount.shownTopics(),
            Printable.text(mount.path().toString()));
      }
      table.print(out);
    }
  }

  /**
   * @param old how many messages were in outboxes before the mount
   */
  private static void answer(Output out, String state, Mount mount, int old) {
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", state)
              .put("name", mount.name())
              .put("dialect", mount.dialect().word())
              .put("path", mount.path().toString())
              .put("topic", mount.shownTopics())
              .put("old", old)
              .build());
    } else {
      String sent =
          state.equals("routed") ? ": " + old + (old == 1 ? " message, " : " messages, ") : ": ";
      out.line(state + " " + mount.name() + sent + Printable.text(mount.path().toString()));
    }
  }
}
