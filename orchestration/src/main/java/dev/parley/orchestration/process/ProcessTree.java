package dev.parley.orchestration.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * All processes that one ask has started, wherever they are now.
 *
 * <p>A process belongs to the ask if it descends from the first process, is in the session that the
 * first process leads, or has the ask's mark in its environment. A grandchild whose parent has
 * ended keeps the last two. Only a process that leaves the session, empties its environment
 * <i>and</i> outlives its parents is not found.
 */
public final class ProcessTree {
  private static final Path PROC = Path.of("/proc");
  private static final long OURS = ProcessHandle.current().pid();
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long KILL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int LOOK_MILLIS = 20;

  /** The index of the session in a stat file, after the name in parentheses. */
  private static final int SESSION_FIELD = 3;

  /** The index of the start time there, in the unit of {@link #now}. */
  private static final int START_FIELD = 19;

  private static final int TICKS_A_SECOND = 100;

  private final long leader;
  private final byte[] mark;
  private final long since;

  /**
   * @param leader the first process; 0 if unknown
   * @param mark the text in the environment of all, such as {@code PARLEY_ASK=…}
   */
  public ProcessTree(long leader, String mark) {
    this(leader, mark, 0);
  }

  /**
   * The same, skipping older processes.
   *
   * @param since a time from {@link #now} before the first of them was started; it makes a look
   *     three times faster
   */
  public ProcessTree(long leader, String mark, long since) {
    this.leader = leader;
    this.mark = mark.getBytes(StandardCharsets.UTF_8);
    this.since = since;
  }

  /**
   * The time in the unit of process start times; 0 if the system has none, so that no process is
   * older.
   */
  public static long now() {
    try {
      String uptime = Files.readString(PROC.resolve("uptime"), StandardCharsets.ISO_8859_1);
      long now = (long) (Double.parseDouble(uptime.split(" ", 2)[0]) * TICKS_A_SECOND) - 2;
      long own = Long.parseLong(fields(PROC.resolve("self"))[START_FIELD]);
      return own > 0 && own <= now ? now : 0;
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return 0;
    }
  }

  /** The fields of a process after its name, which may be any text in parentheses. */
  private static String[] fields(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
  }

  /** The processes that are alive. */
  public Set<ProcessHandle> members() {
    Set<ProcessHandle> members = new LinkedHashSet<>();
    ProcessHandle.of(leader)
        .filter(one -> leader > 0)
        .ifPresent(first -> {
          first.descendants().forEach(members::add);
          members.add(first);
        });
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        add(process, members);
      }
    } catch (IOException e) {
      // No /proc here, so only the descendants can be found.
    }
    members.removeIf(member -> !member.isAlive());
    return members;
  }

  private void add(Path process, Set<ProcessHandle> members) {
    try {
      long pid = Long.parseLong(String.valueOf(process.getFileName()));
      if (pid != OURS && belongs(process)) {
        ProcessHandle.of(pid).ifPresent(members::add);
      }
    } catch (IOException | NumberFormatException e) {
      // The process has ended, or belongs to another user.
    }
  }

  private boolean belongs(Path process) throws IOException {
    String[] fields = fields(process);
    boolean ended = fields[0].equals("Z"); // a zombie: ended, but its parent has not waited for it
    if (ended || Long.parseLong(fields[START_FIELD]) < since) {
      return false;
    }
    return (leader > 0 && Long.parseLong(fields[SESSION_FIELD]) == leader)
        || hasMark(Files.readAllBytes(process.resolve("environ")));
  }

  /** Whether one of the variables, each ended by a zero byte, is exactly the mark. */
  private boolean hasMark(byte[] environment) {
    int from = 0;
    for (int i = 0; i <= environment.length; i++) {
      if (i == environment.length || environment[i] == 0) {
        if (Arrays.equals(environment, from, i, mark, 0, mark.length)) {
          return true;
        }
        from = i + 1;
      }
    }
    return false;
  }

  /**
   * Ends them all, first with a request, then by force, until none is left.
   *
   * @return how many there were
   */
  public int end() throws InterruptedException {
    Set<ProcessHandle> met = new LinkedHashSet<>(members());
    if (met.isEmpty()) {
      return 0;
    }
    met.forEach(ProcessHandle::destroy);
    long start = System.nanoTime();
    Set<ProcessHandle> left = members();
    while (!left.isEmpty() && System.nanoTime() - start < GRACE_NANOS) {
      Thread.sleep(LOOK_MILLIS);
      left = members();
    }
    met.addAll(left);
    met.addAll(killAll());
    return met.size();
  }

  /** Kills them all at once, when there is no time for a request. */
  public Set<ProcessHandle> killAll() throws InterruptedException {
    Set<ProcessHandle> met = new LinkedHashSet<>();
    long start = System.nanoTime();
    Set<ProcessHandle> left = members();
    while (!left.isEmpty() && System.nanoTime() - start < KILL_NANOS) {
      met.addAll(left);
      left.forEach(ProcessHandle::destroyForcibly);
      Thread.sleep(1);
      left = members();
    }
    return met;
  }
}
