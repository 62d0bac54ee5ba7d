package dev.parley.cli.help;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.core.json.Json;

/** Which Parley this is, and what it runs on. */
public final class Version {
  private Version() {}

  public static int show(Output out) {
    String version = Version.class.getPackage().getImplementationVersion();
    String parley = version == null ? "development" : version;
    String jdk = Runtime.version().toString();
    if (out.isJson()) {
      out.line(Json.object().put("version", parley).put("jdk", jdk).build());
    } else {
      out.line("parley " + parley + " (JDK " + jdk + ")");
    }
    return ExitCode.OK;
  }
}
