package dev.parley.cli.install;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Shell;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Installs {@code parley} where every shell finds it. */
public final class Install implements Command {
  private static final Option PREFIX =
      Option.value(
          "--prefix",
          Option.FOLDER,
          "where to install; the program is <folder>/bin/parley (~/.local)");
  private static final Option UNINSTALL =
      Option.flag("--uninstall", "remove what was installed there, and nothing else");

  @Override
  public Description description() {
    return new Description(
        "install",
        Group.CONNECT,
        "install parley on your PATH, or remove it",
        "Copies this program to lib/parley under the prefix and links bin/parley to it, so that it"
            + " can be used from every project. An earlier installation is replaced.",
        List.of(),
        List.of(PREFIX, UNINSTALL),
        List.of(
            "parley install", "parley install --prefix /opt/tools", "parley install --uninstall"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Installation installation = new Installation(prefix(invocation));
    Output out = invocation.out();
    if (invocation.arguments().has(UNINSTALL)) {
      boolean removed = installation.remove();
      if (out.isJson()) {
        out.line(answer(removed ? "removed" : "absent", installation).build());
      } else {
        out.line((removed ? "Removed " : "There is no ") + shown(installation.link()) + ".");
      }
      return ExitCode.OK;
    }
    installation.install(property("parley.home"), property("parley.lib"));
    boolean onPath = isOnPath(invocation.shell(), installation.bin());
    if (out.isJson()) {
      out.line(answer("installed", installation).put("onPath", onPath).build());
      return ExitCode.OK;
    }
    out.line("Installed " + shown(installation.link()) + ".");
    if (!onPath) {
      out.line(shown(installation.bin()) + " is not on your PATH. Add this line to ~/.profile:");
      out.line("  export PATH=\"" + shown(installation.bin()) + ":$PATH\"");
    }
    return ExitCode.OK;
  }

  private static Json.ObjectBuilder answer(String state, Installation installation) {
    return Json.object().put("state", state).put("path", installation.link().toString());
  }

  private static String shown(Path path) {
    return Printable.text(path.toString());
  }

  private static Path prefix(Invocation invocation) {
    String typed = invocation.arguments().value(PREFIX, "~/.local");
    // Shells do not expand the tilde in --prefix=~/x.
    String home = invocation.shell().variable("HOME");
    boolean atHome = typed.equals("~") || typed.startsWith("~/");
    if (atHome && home == null) {
      home = System.getProperty("user.home", "/");
    }
    String path = atHome ? home + typed.substring(1) : typed;
    return invocation.path(PREFIX.name(), path).toAbsolutePath().normalize();
  }

  /** A path that the launcher passes on. */
  private static Path property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "not-launched",
          "Only the parley script knows where the program is installed (" + name + " is not set).",
          "Run ./parley install in the checkout.");
    }
    return Path.of(value);
  }

  private static boolean isOnPath(Shell shell, Path bin) {
    String path = shell.environment().getOrDefault("PATH", "");
    return List.of(path.split(File.pathSeparator, -1)).contains(bin.toString());
  }
}
