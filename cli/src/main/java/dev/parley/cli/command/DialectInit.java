package dev.parley.cli.command;

import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.mount.Dialect;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Creates the layout of another tool, which needs no bus. */
final class DialectInit {
  private static final String BUS_DIR = "BUS_DIR";

  private DialectInit() {}

  /** The default path of the tool; Conclave has a variable for it. */
  private static String usual(Invocation invocation, Dialect dialect) {
    String named = dialect == Dialect.CONCLAVE ? invocation.shell().variable(BUS_DIR) : null;
    return named == null || named.isEmpty() ? dialect.usualName() : named;
  }

  static int run(Invocation invocation, String name, @Nullable String folder, boolean ephemeral)
      throws InterruptedException {
    Dialect dialect = Dialect.named(name);
    Path path =
        invocation.path("folder", folder == null ? usual(invocation, dialect) : folder).normalize();
    if (ephemeral && dialect == Dialect.CONCLAVE) {
      return Ephemeral.runForConclave(invocation, path);
    }
    if (ephemeral) {
      throw ParleyException.invalid(
          "not-ephemeral",
          "What " + dialect.word() + " keeps is permanent.",
          "Leave out --ephemeral: of the other designs, only a conclave folder can be removed with"
              + " its owner.");
    }
    boolean created = dialect.create(path);
    Output out = invocation.out();
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", created ? "created" : "exists")
              .put("dialect", dialect.word())
              .put("path", path.toString())
              .build());
    } else {
      out.line(
          (created ? "Made " : "Already there; missing parts were created: ")
              + Printable.text(path.toString()));
      out.line(
          "To connect it to a bus: parley mount "
              + dialect.word()
              + " "
              + Printable.text(path.toString()));
    }
    return ExitCode.OK;
  }
}
