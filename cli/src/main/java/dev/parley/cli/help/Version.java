package dev.parley.cli.help;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.core.json.Json;
import java.util.List;

/** Prints the version of Parley and of its platform. */
public final class Version implements Command {
  @Override
  public Description description() {
    return new Description(
        "version",
        Group.LOOK_BACK,
        "show the version",
        "Shows the version of Parley and of the JDK that it runs on, like --version.",
        List.of(),
        List.of(),
        List.of("parley version --json"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) {
    return show(invocation.out());
  }

  /** The number of this version. */
  public static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  public static int show(Output out) {
    String parley = number();
    String jdk = Runtime.version().toString();
    if (out.isJson()) {
      out.line(Json.object().put("version", parley).put("jdk", jdk).build());
    } else {
      out.line("parley " + parley + " (JDK " + jdk + ")");
    }
    return ExitCode.OK;
  }
}
