package dev.parley.cli;

import dev.parley.cli.terminal.Shell;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;

/**
 * Runs the everyday commands once, for the JVM to remember the classes they load: from this run the
 * launcher's start-up cache is made. The folder named is made into a bus and left as it is.
 */
final class Training {
  /** Not a command: see {@link #fill}. */
  private static final String FILL = "fill";

  private Training() {}

  /** Enough messages for views to be saved and loaded. */
  private static void fill(Path folder) {
    try (FileLog log = BusFolder.find(folder, folder, Map.of()).openLog()) {
      for (String topic : new String[] {"ledger", "mail.trainee", "sent.trainee"}) {
        Message message = Message.of("trainee", "note", Json.EMPTY_OBJECT);
        var _ = log.append(new Topic(topic), Collections.nCopies(300, message));
      }
    }
  }

  public static void main(String[] args) {
    Path folder = Path.of(args[0]).toAbsolutePath();
    Shell quiet =
        new Shell(
            new ByteArrayInputStream(new byte[0]),
            OutputStream.nullOutputStream(),
            OutputStream.nullOutputStream(),
            Map.of("PARLEY_AGENT", "trainee", "PARLEY_BUS", folder.toString()),
            folder,
            Shell.ofProcess().devices());
    for (String line :
        new String[] {
          "init",
          "publish notes --type note --payload {\"text\":\"hello\"}",
          "publish notes.build --type note --to alice --json",
          "join --role trainer",
          "send trainee --type question --subject hello --body hello --deadline 10m --json",
          "send trainee --body hello",
          "inbox",
          "inbox --json",
          "wait --timeout 0s",
          FILL,
          "inbox",
          "inbox --json",
          "who",
          "send trainee --body hello --key once",
          "inbox sent",
          "inbox clear",
          "who",
          "heartbeat --status RUNNING",
          "board open EVALUATE_PLAN --electorate trainee --rounds 0",
          "board assess board-1 --verdict APPROVE --score 8",
          "board vote board-1 --verdict APPROVE --condition tests",
          "board resolve board-1 --json",
          "board show board-1",
          "bulletin post --wave wave-1 --kind discovery --body hello",
          "bulletin read --wave wave-1",
          "status",
          "tail",
          "tail notes --json -n 1",
          "topics",
          "doctor",
          "",
          "help",
          "publish --help",
          "--version",
          "publish ../x --type note",
          "nonsense"
        }) {
      if (line.equals(FILL)) {
        fill(folder);
      } else {
        new Parley(quiet).run(line.isEmpty() ? new String[0] : line.split(" "));
      }
    }
  }
}
