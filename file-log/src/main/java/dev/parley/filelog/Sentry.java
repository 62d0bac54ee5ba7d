package dev.parley.filelog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says at every moment, without a call of the system, that nothing was moved or deleted in a
 * folder, nor a folder above it moved: so what was at a path there still is.
 *
 * <pre>
 * rename(2), unlink(2) ─▶ watch (inotify) ─▶ {@link CompletionRing}: its tail moves ─▶ not quiet
 * └───────────── before the call returns ──────────────────────────┘
 * </pre>
 *
 * <p>Who has written something and then finds it quiet wrote before any such call returned: it is
 * as if it had come before the call.
 *
 * <p>A post is good for one alarm. After that another takes its place, with a watch of its own,
 * because of the old one it can't be told whether an event is still on its way.
 *
 * <p>That the alarm comes so early no manual says; so it is tried out before anybody relies on it.
 *
 * <p>It is silent about what the kernel here does not see or does not tell: other machines' changes
 * (so it serves only {@linkplain #LOCAL local file systems}), and a mount over the folder. Nor is
 * it always to be had (a sandbox, the number of watches).
 */
final class Sentry {
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "overlay", "zfs");

  /** Moved away, moved to, deleted. */
  private static final int IN_FOLDER = 0x40 | 0x80 | 0x200;

  private static final int ITSELF = 0x800;

  /** Folders only, no links, and besides what is watched already. */
  private static final int HOW = 0x1000000 | 0x2000000 | 0x20000000;

  private static final int TRIALS = 3;

  /** Where one file is moved there are often more, and a post costs as much as many looks. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  static final Sentry OF_PROCESS = new Sentry(PAUSE);

  private final long pause;
  private long changed;
  private @Nullable CompletionRing ring;

  /** Null until it was tried out: on a kernel that tells late nobody can be on post. */
  private @Nullable Boolean tellsAtOnce;

  private volatile @Nullable Post current;

  /**
   * To be made once: what it needs of the system is there until the process ends.
   *
   * @param pause how long after one post another can follow
   */
  Sentry(Duration pause) {
    this.pause = pause.toNanos();
    this.changed = System.nanoTime() - this.pause;
  }

  /** Who watches a folder from now on; null if nobody does. */
  synchronized @Nullable Post guard(Path folder) {
    if ((current == null || current.isTold()) && System.nanoTime() - changed >= pause) {
      relieve();
    }
    Post post = current;
    return post != null && post.watches(folder) ? post : null;
  }

  private void relieve() {
    changed = System.nanoTime();
    Post old = current;
    if (old != null) {
      leave(old);
    }
    try {
      current = null;
      if (ring == null) {
        ring = CompletionRing.open();
      }
      if (tellsAtOnce == null) {
        tellsAtOnce = tellsAtOnce(ring);
      }
      current = tellsAtOnce ? new Post(ring) : null;
    } catch (IOException e) {
      // Then nobody is on post until the next try.
    }
  }

  /** Tries it out. */
  private boolean tellsAtOnce(CompletionRing tried) throws IOException {
    Path folder = Files.createTempDirectory("parley-");
    Path file = folder.resolve("moved");
    try {
      boolean does = true;
      for (int i = 0; i < TRIALS && does; i++) {
        Files.createFile(file);
        Post post = new Post(tried);
        try {
          SystemCalls.watch(post.events, folder, IN_FOLDER | HOW);
          boolean isEarly = post.isTold();
          Files.delete(file);
          does = !isEarly && post.isTold();
        } finally {
          leave(post);
        }
      }
      return does;
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /** Takes the system milliseconds. */
  private static void leave(Post post) {
    Thread.ofPlatform().daemon().start(post::close);
  }

  /** One watch, until it has seen something. */
  final class Post {
    private final CompletionRing ring;
    private final int tail;
    private final SystemCalls.OpenFile events;
    private final SystemCalls.OpenFile told;
    private final Map<Path, Boolean> folders = new HashMap<>();

    /** Nothing is watched when the ring is asked, so nothing happens just then. */
    private Post(CompletionRing ring) throws IOException {
      this.ring = ring;
      tail = ring.tail();
      events = SystemCalls.openEvents();
      try {
        told = ring.tellOf(events);
      } catch (IOException e) {
        events.close();
        throw e;
      }
    }

    /** Whether nothing has happened in any folder since that is watched. */
    boolean isQuiet() {
      return !isTold() && current == this;
    }

    private boolean isTold() {
      return ring.tail() != tail;
    }

    private boolean watches(Path folder) {
      return folders.computeIfAbsent(folder, this::watch);
    }

    /** Has a folder watched, and those above it from the top: none can be exchanged unseen. */
    private boolean watch(Path folder) {
      try {
        if (!folder.equals(folder.toRealPath()) || !LOCAL.contains(FileSystemCheck.type(folder))) {
          return false;
        }
        List<Path> above = new ArrayList<>();
        for (Path each = folder.getParent(); each != null; each = each.getParent()) {
          above.add(each);
        }
        for (Path each : above.reversed()) {
          SystemCalls.watch(events, each, ITSELF | HOW);
        }
        SystemCalls.watch(events, folder, IN_FOLDER | ITSELF | HOW);
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    private void close() {
      told.close();
      events.close();
    }
  }
}
