package dev.parley.cli.team;

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
 * The processes that this one comes from: commands of one agent come and go, the agent itself, or
 * the shell a person sits at, stays.
 */
final class Ancestry {
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox");
  private static final Set<String> WRAPPERS =
      Set.of("env", "timeout", "nice", "nohup", "time", "xargs", "sudo", "setsid", "stdbuf");

  /** How far back we look. */
  private static final int MOST = 64;

  /** Where there is none, the JVM is asked, which takes longer. */
  private static final boolean PROC = Files.exists(Path.of("/proc/self/stat"));

  private Ancestry() {}

  /** A process, and when it started, in the units of its system. */
  record Ancestor(long pid, long start) {}

  /** What the system says of a process. */
  private record Seen(long pid, long parent, long start) {
    Ancestor ancestor() {
      return new Ancestor(pid, start);
    }
  }

  /** The ancestors of this process, the nearest first. */
  static List<Ancestor> all() {
    List<Ancestor> ancestors = new ArrayList<>();
    Seen process = look(self().parent());
    while (process != null && ancestors.size() < MOST) {
      ancestors.add(process.ancestor());
      process = look(process.parent());
    }
    return ancestors;
  }

  /**
   * The nearest one that stays: not a shell that runs a single command, not a program that only
   * starts another.
   */
  static Ancestor anchor(List<Ancestor> ancestors) {
    for (Ancestor process : ancestors) {
      if (!isPassing(commandLine(process.pid()))) {
        return process;
      }
    }
    return self().ancestor();
  }

  static boolean isAlive(long pid, long start) {
    Seen process = look(pid);
    return process != null && process.start() == start;
  }

  static boolean isPassing(List<String> command) {
    if (command.isEmpty()) {
      return false;
    }
    String name = command.getFirst();
    String program = name.substring(name.lastIndexOf('/') + 1);
    if (WRAPPERS.contains(program)) {
      return true;
    }
    if (!SHELLS.contains(program.startsWith("-") ? program.substring(1) : program)) {
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
      return self == null ? new Seen(pid, 0, 0) : self;
    }
    return self;
  }

  private static @Nullable Seen look(long pid) {
    if (pid <= 0) {
      return null;
    }
    return PROC ? stat(Long.toString(pid)) : ask(pid);
  }

  /** Of /proc/pid/stat: the fields after the program's name, which may hold anything. */
  private static @Nullable Seen stat(String pid) {
    try {
      String text = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
      return new Seen(
          Long.parseLong(text.substring(0, text.indexOf(' '))),
          Long.parseLong(fields[1]),
          Long.parseLong(fields[19]));
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
    return new Seen(process.pid(), parent, start.toEpochMilli());
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
