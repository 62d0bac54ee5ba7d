package dev.parley.cli.mount;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Stop;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.mount.Bridge;
import dev.parley.dialects.mount.Mount;
import dev.parley.dialects.mount.Mounts;
import java.util.List;

/** Keeps all mounts up to date while it runs. */
public final class BridgeCommand implements Command {
  public static final String NAME = "bridge";

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.CONNECT,
        "keep the mounted files and the bus in step",
        "Runs until you stop it (Ctrl-C). It carries messages between the bus and the mounted files"
            + " as soon as a file changes. It may be killed at any time: the next bridge or command"
            + " continues where it stopped. Several bridges do no harm.",
        List.of(),
        List.of(),
        List.of("parley bridge", "parley bridge --json &"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    try (Mounts mounts =
            new Mounts(
                invocation.bus(), invocation.notices(), RemarkNotices.to(invocation.notices()));
        Bridge bridge = new Bridge(mounts);
        Stop _ = Stop.onSignal(bridge::close)) {
      answer(invocation.out(), mounts.list());
      bridge.run();
    }
    return ExitCode.OK;
  }

  private static void answer(Output out, List<Mount> mounts) {
    if (mounts.isEmpty()) {
      throw ParleyException.refused(
          "nothing-mounted",
          "There are no mounts to keep in sync.",
          "Mount files first: parley mount swarm .swarm");
    }
    List<String> names = mounts.stream().map(Mount::name).toList();
    if (out.isJson()) {
      out.line(Json.object().put("state", "bridging").put("mounts", Json.ofStrings(names)).build());
    } else {
      out.line("bridging " + String.join(", ", names) + " (Ctrl-C ends it)");
    }
    out.flush();
  }
}
