package dev.parley.filelog.watch;

import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.filelog.FileLog;
import java.util.Map;

/** Polls the sizes of the files, and rings for those that changed. */
final class FolderPoller {
  private final FileLog log;
  private final LocalDoorbell.DoorbellRegistry bells;
  private final PollingInterval interval;
  private Map<Topic, Long> sizes = Map.of();
  private int idlePolls;

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

  void waitAndPoll() throws InterruptedException {
    Thread.sleep(interval.after(idlePolls));
    if (bells.isEmpty()) {
      idlePolls = PollingInterval.IDLE_POLLS;
      return;
    }
    Map<Topic, Long> now;
    try {
      now = log.sizes(Prefix.ALL);
    } catch (ParleyException e) {
      return; // the folder can't be read now; reading a topic will say why
    }
    boolean changed = false;
    for (Map.Entry<Topic, Long> file : now.entrySet()) {
      if (!file.getValue().equals(sizes.get(file.getKey()))) {
        bells.ring(file.getKey());
        changed = true;
      }
    }
    sizes = now;
    idlePolls = changed ? 0 : idlePolls + 1;
  }
}
