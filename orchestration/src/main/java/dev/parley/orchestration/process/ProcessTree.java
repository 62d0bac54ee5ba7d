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
 * <p>A process belongs to it if it descends from the first one, is in the session that the first
 * one leads, or has the mark of this ask in its environment: a grandchild whose parent has ended
 * keeps the last two. Only one that leaves the session, empties its environment <i>and</i> outlives
 * its parents is not found.
 */
public final class ProcessTree {
  private static final Path PROC = Path.of("/proc");
  private static final long OURS = ProcessHandle.current().pid();
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long KILL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int LOOK_MILLIS = 20;

  /** Where the session of a process stands in its stat, after the name in parentheses. */
  private static final int SESSION_FIELD = 3;

  /** When a process began stands there, in the same unit as {@link #now}. */
  private static final int START_FIELD = 19;

  private static final int TICKS_A_SECOND = 100;

  private final long leader;
  private final byte[] mark;
  private final long since;

  /**
   * @param leader the first process; 0 if it is not known any more
   * @param mark what stands in the environment of all, such as {@code PARLEY_ASK=…}
   */
  public ProcessTree(long leader, String mark) {
    this(leader, mark, 0);
  }

  /**
   * The same.
   *
   * @param since a time, as {@link #now} gave it, before the first of them was started; older
   *     processes are passed over, so that a look costs a third
   */
  public ProcessTree(long leader, String mark, long since) {
    this.leader = leader;
    this.mark = mark.getBytes(StandardCharsets.UTF_8);
    this.since = since;
  }

  /** The time as the system notes it for processes; 0 where it does not, so that none is older. */
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

  /** What the system says of a process, after its name, which may be any text in parentheses. */
  private static String[] fields(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
  }

  /** Those that are alive. */
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
      // No such folder on this system: then the descendants are all that can be found.
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
      // It has ended, or belongs to another user.
    }
  }

  private boolean belongs(Path process) throws IOException {
    String[] fields = fields(process);
    boolean ended = fields[0].equals("Z"); // and nobody has asked how
    if (ended || Long.parseLong(fields[START_FIELD]) < since) {
      return false;
    }
    return (leader > 0 && Long.parseLong(fields[SESSION_FIELD]) == leader)
        || hasMark(Files.readAllBytes(process.resolve("environ")));
  }

  /** Whether one of the variables, which end with a zero byte, is exactly the mark. */
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
   * Ends them all: politely first, then by force, until none is left.
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

  /** Ends them all at once, for when there is no time to be polite. */
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
