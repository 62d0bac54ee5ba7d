package dev.parley.filelog.watch;

import dev.parley.core.Topic;
import dev.parley.filelog.FileLog;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The JDK's file watch. On Linux a thread of the JDK reads the events and passes them on. */
final class JdkFileWatch implements ChangeWatch {
  private final WatchService service;

  private JdkFileWatch(WatchService service) {
    this.service = service;
  }

  static JdkFileWatch open(Path folder) throws UnavailableException {
    WatchService service = null;
    try {
      service = folder.getFileSystem().newWatchService();
      if (!isReal(service)) {
        throw new UnavailableException("this system has no file watch");
      }
      folder.register(
          service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      return new JdkFileWatch(service);
    } catch (IOException | UnsupportedOperationException e) {
      closeQuietly(service);
      throw new UnavailableException("file watch failed: " + e.getMessage());
    } catch (UnavailableException e) {
      closeQuietly(service);
      throw e;
    }
  }

  /** On some systems the JDK's watch only polls, more slowly than we do. */
  private static boolean isReal(WatchService service) {
    return !service.getClass().getSimpleName().contains("Polling");
  }

  @Override
  public boolean waitAndRing(long nanos, Consumer<Set<Topic>> ring, Runnable ringAll)
      throws InterruptedException {
    try {
      WatchKey key = service.poll(nanos, TimeUnit.NANOSECONDS);
      if (key == null) {
        return true;
      }
      Set<Topic> topics = new HashSet<>();
      boolean isLossy = false;
      for (WatchEvent<?> event : key.pollEvents()) {
        if (event.context() instanceof Path file) {
          FileLog.topic(file.toString()).ifPresent(topics::add);
        } else {
          isLossy = true;
        }
      }
      if (isLossy) {
        ringAll.run();
      } else {
        ring.accept(topics);
      }
      return key.reset();
    } catch (ClosedWatchServiceException e) {
      return false;
    }
  }

  @Override
  public boolean holdsThread() {
    return false;
  }

  @Override
  public void close() {
    closeQuietly(service);
  }

  private static void closeQuietly(@Nullable WatchService service) {
    try {
      if (service != null) {
        service.close();
      }
    } catch (IOException e) {
      // Events are hints, so nothing is lost.
    }
  }
}
