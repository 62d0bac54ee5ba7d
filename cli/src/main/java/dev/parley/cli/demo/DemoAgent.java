package dev.parley.cli.demo;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.terminal.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** One of the processes that the demo starts. */
public final class DemoAgent implements Command {
  public static final String NAME = "demo-agent";

  private static final Parameter ROLE =
      Parameter.required("role", "whom to play").choices(DemoStory.CAST.toArray(new String[0]));
  private static final Parameter SEED = Parameter.required("seed", "which story");
  private static final Parameter PACE = Parameter.required("pace", "milliseconds between steps");

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.HIDDEN,
        "play one agent of the demo",
        "Started by parley demo.",
        List.of(ROLE, SEED, PACE),
        List.of(),
        List.of());
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    OpenedBus bus = invocation.openedBus();
    new Script(
            DemoStory.of(Long.parseLong(arguments.required(SEED))),
            arguments.required(ROLE),
            bus.parley().bus(),
            bus.team(),
            new DemoRepository(invocation.shell().folder()),
            Duration.ofMillis(Long.parseLong(arguments.required(PACE))))
        .play();
    return ExitCode.OK;
  }
}
