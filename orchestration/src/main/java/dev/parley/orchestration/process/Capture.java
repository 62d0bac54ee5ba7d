package dev.parley.orchestration.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Reads a program's output, keeps the beginning, and discards what is over the limit. */
public final class Capture implements Runnable {
  private static final int PIECE = 1 << 13;

  private final InputStream in;
  private final int most;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final AtomicLong seen = new AtomicLong();
  private final Thread thread;

  private Capture(InputStream in, int most, String name) {
    this.in = in;
    this.most = most;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  public static Capture start(InputStream in, int most, String name) {
    Capture capture = new Capture(in, most, name);
    capture.thread.start();
    return capture;
  }

  @Override
  public void run() {
    byte[] piece = new byte[PIECE];
    try (in) {
      int read = in.read(piece);
      while (read >= 0) {
        keep(piece, read);
        read = in.read(piece);
      }
    } catch (IOException e) {
      // The program was killed while it printed; what it printed before counts.
    }
  }

  private void keep(byte[] piece, int length) {
    seen.addAndGet(length);
    synchronized (kept) {
      kept.write(piece, 0, Math.min(length, most - kept.size()));
    }
  }

  /** Waits for the end of the stream; false after the timeout. */
  public boolean await(Duration atMost) throws InterruptedException {
    return thread.join(atMost);
  }

  public boolean wasCut() {
    return seen.get() > most;
  }

  /** Invalid UTF-8 becomes replacement characters. */
  public String text() {
    synchronized (kept) {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }

  /** The size of what is kept, in bytes. */
  public int size() {
    synchronized (kept) {
      return kept.size();
    }
  }
}
