package dev.parley.cli.demo;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.core.Bus;
import java.util.List;

/** One of the processes that the demo starts. */
public final class DemoAgent implements Command {
  public static final String NAME = "demo-agent";

  private static final Parameter ROLE =
      Parameter.required("role", "whom to play").choices(Role.NAMES.toArray(new String[0]));

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.HIDDEN,
        "play one agent of the demo",
        "Started by parley demo.",
        List.of(ROLE),
        List.of(),
        List.of());
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    try (Bus bus = invocation.bus().open(invocation.notices())) {
      new Role(invocation.arguments().required(ROLE), bus).play();
    }
    return ExitCode.OK;
  }
}
