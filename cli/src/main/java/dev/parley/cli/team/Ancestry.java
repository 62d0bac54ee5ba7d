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

  private Ancestry() {}

  /** A process, and when it started, in the units of its system. */
  record Ancestor(long pid, long start) {}

  /** The ancestors of this process, the nearest first. */
  static List<Ancestor> all() {
    List<Ancestor> ancestors = new ArrayList<>();
    long pid = parent(ProcessHandle.current().pid());
    while (pid > 0 && ancestors.size() < 64) {
      Ancestor process = process(pid);
      if (process == null) {
        break;
      }
      ancestors.add(process);
      pid = parent(pid);
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
    long own = ProcessHandle.current().pid();
    Ancestor self = process(own);
    return self == null ? new Ancestor(own, 0) : self;
  }

  static boolean isAlive(long pid, long start) {
    Ancestor process = process(pid);
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

  private static @Nullable Ancestor process(long pid) {
    String[] stat = stat(pid);
    if (stat != null) {
      return new Ancestor(pid, Long.parseLong(stat[19]));
    }
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant())
        .map(Instant::toEpochMilli)
        .map(start -> new Ancestor(pid, start))
        .orElse(null);
  }

  private static long parent(long pid) {
    String[] stat = stat(pid);
    if (stat != null) {
      return Long.parseLong(stat[1]);
    }
    return ProcessHandle.of(pid).flatMap(ProcessHandle::parent).map(ProcessHandle::pid).orElse(0L);
  }

  /** The fields of /proc/pid/stat after the program's name, which may hold anything. */
  private static String @Nullable [] stat(long pid) {
    try {
      String text =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
      return text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    } catch (IOException e) {
      return null;
    }
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
