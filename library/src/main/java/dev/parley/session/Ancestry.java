package dev.parley.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ancestors of this process. An agent's commands are short-lived processes. The agent's own
 * process, or the shell of a person, is the ancestor that stays.
 */
final class Ancestry {
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox");

  /** Programs that only start another one. */
  private static final Set<String> WRAPPERS =
      Set.of(
          "env", "timeout", "nice", "nohup", "time", "xargs", "sudo", "su", "setsid", "setpriv",
          "stdbuf", "unshare", "bwrap", "nsenter", "runuser", "flock");

  /** Programs that start the shells of many agents, or adopt orphaned processes. */
  private static final Set<String> STARTERS_OF_MANY =
      Set.of(
          "init",
          "systemd",
          "launchd",
          "tini",
          "dumb-init",
          "docker-init",
          "catatonit",
          "s6-svscan",
          "runsv",
          "supervisord",
          "containerd-shim",
          "containerd-shim-runc-v2",
          "dockerd",
          "conmon",
          "cron",
          "crond",
          "atd",
          "login",
          "tmux",
          "tmux: server",
          "screen",
          "SCREEN");

  /** The most ancestors that are looked at. */
  private static final int MOST = 64;

  /** Without /proc the JVM is asked, which takes longer. */
  private static final boolean PROC = Files.exists(Path.of("/proc/self/stat"));

  private static final String NO_NAMESPACE = "0";

  private final Seen self;
  private final List<Seen> ancestors;
  private @Nullable String namespace;
  private @Nullable ProcessKey anchor;

  private Ancestry(Seen self) {
    this.self = self;
    this.ancestors = ancestors(self);
  }

  /** The ancestry of this process. */
  static Ancestry ofThisProcess() {
    return new Ancestry(self());
  }

  /**
   * A process as the system describes it.
   *
   * @param session the process that leads its session (in the sense of {@code setsid})
   * @param terminal its controlling terminal; 0 if it has none
   */
  private record Seen(long pid, long parent, long start, long session, long terminal) {}

  /** The pid namespace. A pid has no meaning outside of its namespace. */
  String namespace() {
    if (namespace == null) {
      namespace = readNamespace();
    }
    return namespace;
  }

  private static String readNamespace() {
    if (PROC) {
      try {
        String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        String digits = link.substring(link.indexOf('[') + 1, link.length() - 1);
        return Long.toString(Long.parseLong(digits));
      } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
        // The kernel has no namespaces, or does not tell.
      }
    }
    return NO_NAMESPACE;
  }

  /** The controlling terminal; 0 if there is none. */
  long terminal() {
    return self.terminal;
  }

  /** The distance of an ancestor, from 0; -1 if the process is no ancestor. */
  int distance(ProcessKey process) {
    if (!process.namespace().equals(namespace())) {
      return -1;
    }
    for (int i = 0; i < ancestors.size(); i++) {
      Seen one = ancestors.get(i);
      if (one.pid == process.pid() && one.start == process.start()) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The nearest ancestor that stays: no shell that runs a single command, and no program that only
   * starts another one. This process itself if there is none; its agent can't be told from others
   * then.
   */
  ProcessKey anchor() {
    if (anchor == null) {
      anchor = findAnchor();
    }
    return anchor;
  }

  /** Whether this process has no ancestor that stays, perhaps because its parent has ended. */
  boolean isOrphan() {
    return anchor().equals(key(self));
  }

  private ProcessKey findAnchor() {
    for (Seen process : ancestors) {
      List<String> command = commandLine(process.pid);
      if (isPassing(command)) {
        continue;
      }
      boolean adopts = process.parent == 0 && process.session != self.session;
      if (adopts || startsMany(command)) {
        break;
      }
      return key(process);
    }
    return key(self);
  }

  private ProcessKey key(Seen process) {
    return new ProcessKey(namespace(), process.pid, process.start);
  }

  /** Whether a process certainly runs. A process of another pid namespace can't be seen. */
  boolean isAlive(ProcessKey process) {
    Seen seen = process.namespace().equals(namespace()) ? look(process.pid()) : null;
    return seen != null && seen.start == process.start();
  }

  /** Whether a process may still run. */
  boolean mayBeAlive(ProcessKey process) {
    return !process.namespace().equals(namespace()) || isAlive(process);
  }

  /** Whether the anchor of this process is an ancestor of a running process. */
  boolean hasStarted(ProcessKey process) {
    if (!isAlive(process)) {
      return false;
    }
    Seen seen = look(process.pid());
    return seen != null && ancestors(seen).stream().anyMatch(one -> key(one).equals(anchor()));
  }

  private static List<Seen> ancestors(Seen process) {
    List<Seen> ancestors = new ArrayList<>();
    Seen next = look(process.parent);
    while (next != null && ancestors.size() < MOST) {
      ancestors.add(next);
      next = look(next.parent);
    }
    return ancestors;
  }

  private static String program(List<String> command) {
    String name = command.getFirst();
    String program = name.substring(name.lastIndexOf('/') + 1);
    return program.startsWith("-") ? program.substring(1) : program;
  }

  private static boolean startsMany(List<String> command) {
    if (command.isEmpty()) {
      return true; // a kernel thread
    }
    String first = command.getFirst();
    return STARTERS_OF_MANY.contains(program(command)) || first.startsWith("tmux: server");
  }

  static boolean isPassing(List<String> command) {
    if (command.isEmpty()) {
      return false;
    }
    String program = program(command);
    if (WRAPPERS.contains(program)) {
      return true;
    }
    if (!SHELLS.contains(program)) {
      return false;
    }
    for (String word : command.subList(1, command.size())) {
      if (!word.startsWith("-") || word.startsWith("--")) {
        return false;
      }
      if (word.indexOf('c') > 0) {
        return true;
      }
    }
    return false;
  }

  private static Seen self() {
    Seen self = PROC ? stat("self") : null;
    if (self == null) {
      long pid = ProcessHandle.current().pid();
      self = look(pid);
      return self == null ? new Seen(pid, 0, 0, 0, 0) : self;
    }
    return self;
  }

  private static @Nullable Seen look(long pid) {
    if (pid <= 0) {
      return null;
    }
    return PROC ? stat(Long.toString(pid)) : ask(pid);
  }

  /** Reads /proc/pid/stat: the fields after the program's name, which may contain any character. */
  private static @Nullable Seen stat(String pid) {
    try {
      String text = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      boolean isZombie = fields[0].equals("Z") || fields[0].equals("X");
      return isZombie
          ? null
          : new Seen(
              Long.parseLong(text.substring(0, text.indexOf(' '))),
              Long.parseLong(fields[1]),
              Long.parseLong(fields[19]),
              Long.parseLong(fields[3]),
              Long.parseLong(fields[4]));
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable Seen ask(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant().map(start -> seen(process, start)))
        .orElse(null);
  }

  private static Seen seen(ProcessHandle process, Instant start) {
    long parent = process.parent().map(ProcessHandle::pid).orElse(0L);
    return new Seen(process.pid(), parent, start.toEpochMilli(), 0, 0);
  }

  private static List<String> commandLine(long pid) {
    try {
      String text =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
      return text.isEmpty() ? List.of() : List.of(text.split("\0", -1));
    } catch (IOException e) {
      List<String> command = new ArrayList<>();
      ProcessHandle.of(pid)
          .map(ProcessHandle::info)
          .ifPresent(info -> {
            info.command().ifPresent(command::add);
            info.arguments().ifPresent(words -> command.addAll(List.of(words)));
          });
      return command;
    }
  }
}
