package dev.parley.dialects.testing;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.Reporter;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Locks a path, and is killed when it stands in the file and not yet in the ledger. */
public final class Locker {
  private Locker() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    BusFolder place = BusFolder.find(folder.resolve(".parley"), folder, System.getenv());
    try (FileLog log = place.openLog();
        Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      Session session = new Team(log, place.views(), Reporter.TO_LOG).join(args[1]);
      var _ =
          mounts
              .locks()
              .asking(
                  session,
                  List.of(args[2]),
                  Duration.ofSeconds(Long.parseLong(args[3])),
                  () -> {
                    kill();
                    throw new IllegalStateException("still here");
                  });
    }
  }

  private static void kill() {
    try {
      String own = Long.toString(ProcessHandle.current().pid());
      var _ = new ProcessBuilder("kill", "-9", own).start().waitFor();
    } catch (java.io.IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
