package dev.parley.filelog;

import dev.parley.core.Bell;
import dev.parley.core.Doorbell;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Rings at once for this process's own appends, and for those of others after a look at the sizes
 * of the files. Whoever waits does the looking. Used by one waiting thread at a time.
 */
final class PollingDoorbell implements Doorbell {
  private final FileLog log;
  private final Prefix prefix;
  private final Bell bell;
  private final PollingInterval interval;
  private Map<Topic, Long> sizes;
  private int idleLooks;

  PollingDoorbell(FileLog log, Prefix prefix, Bell bell, PollingInterval interval) {
    this.log = log;
    this.prefix = prefix;
    this.bell = bell;
    this.interval = interval;
    this.sizes = log.sizes(prefix);
  }

  @Override
  public Set<Topic> await(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      long left = end - System.nanoTime();
      long pause = Math.min(left, interval.after(idleLooks).toNanos());
      Set<Topic> rung = bell.await(Duration.ofNanos(Math.max(0, pause)));
      if (!rung.isEmpty()) {
        idleLooks = 0;
        return rung;
      }
      if (bell.isClosed()) {
        return Set.of();
      }
      Set<Topic> changed = look();
      if (!changed.isEmpty()) {
        idleLooks = 0;
        return changed;
      }
      idleLooks++;
      if (end - System.nanoTime() <= 0) {
        return Set.of();
      }
    }
  }

  private Set<Topic> look() {
    Map<Topic, Long> now = log.sizes(prefix);
    Set<Topic> changed = new HashSet<>();
    now.forEach((topic, size) -> {
      if (!size.equals(sizes.get(topic))) {
        changed.add(topic);
      }
    });
    sizes = new HashMap<>(now);
    return changed;
  }

  @Override
  public void close() {
    bell.close();
  }
}
