package dev.parley.filelog.watch;

import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.filelog.FileLog;
import java.util.Map;

/** Looks at the sizes of the files at intervals, and rings for those that changed. */
final class FolderPoller {
  private final FileLog log;
  private final LocalDoorbell.DoorbellRegistry bells;
  private final PollingInterval interval;
  private Map<Topic, Long> sizes = Map.of();
  private int idleLooks;

  FolderPoller(FileLog log, LocalDoorbell.DoorbellRegistry bells, PollingInterval interval) {
    this.log = log;
    this.bells = bells;
    this.interval = interval;
  }

  String describe() {
    return "polling every "
        + interval.first().toMillis()
        + " to "
        + interval.longest().toMillis()
        + " ms";
  }

  void waitAndLook() throws InterruptedException {
    Thread.sleep(interval.after(idleLooks));
    if (bells.isEmpty()) {
      idleLooks = PollingInterval.IDLE_LOOKS;
      return;
    }
    Map<Topic, Long> now;
    try {
      now = log.sizes(Prefix.ALL);
    } catch (ParleyException e) {
      return; // the folder can't be read now; whoever reads a topic will be told why
    }
    boolean changed = false;
    for (Map.Entry<Topic, Long> file : now.entrySet()) {
      if (!file.getValue().equals(sizes.get(file.getKey()))) {
        bells.ring(file.getKey());
        changed = true;
      }
    }
    sizes = now;
    idleLooks = changed ? 0 : idleLooks + 1;
  }
}
