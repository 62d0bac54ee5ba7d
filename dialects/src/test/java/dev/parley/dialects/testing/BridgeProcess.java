package dev.parley.dialects.testing;

import dev.parley.core.Reporter;
import dev.parley.dialects.mount.Bridge;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;

/** A bridge in a process of its own, to be killed: says so when it begins. */
public final class BridgeProcess {
  private BridgeProcess() {}

  public static void main(String[] args) throws InterruptedException {
    Path folder = Path.of(args[0]);
    BusFolder place = BusFolder.find(folder.resolve(".parley"), folder, System.getenv());
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {});
        Bridge bridge = new Bridge(mounts)) {
      System.out.println("bridging");
      bridge.run();
    }
  }
}
