package dev.parley.coordination;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Reporter;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A process that wants paths and tasks and prints what it was told, at once. */
final class WorkMain {
  static final Duration LONG = Duration.ofMinutes(3);

  /** How long it holds what it then comes too late for. */
  static final Duration BRIEF = Duration.ofSeconds(1);

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private final Locks locks;
  private final TaskList tasks;

  private WorkMain(Team team, Session session) {
    this.locks = team.locks(session);
    this.tasks = team.tasks(session);
  }

  /**
   * Arguments: folder, token, then {@code tasks}, {@code turns n file}, {@code hold path seconds}
   * or {@code late n}.
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    BusFolder bus = BusFolder.find(folder, folder, System.getenv());
    try (FileLog log = bus.openLog()) {
      Team team = new Team(log, bus.views(), Reporter.TO_LOG);
      WorkMain work = new WorkMain(team, Session.parse(args[1]));
      switch (args[2]) {
        case "tasks" -> work.doTasks();
        case "turns" -> work.takeTurns(Integer.parseInt(args[3]), Path.of(args[4]));
        case "hold" -> work.hold(args[3], Duration.ofSeconds(Long.parseLong(args[4])));
        default -> work.comeLate(Integer.parseInt(args[3]));
      }
    }
  }

  private static void print(String line) throws IOException {
    OUT.write((line + "\n").getBytes(US_ASCII));
  }

  /** Waits until all can begin together. */
  private static void getReady() throws IOException {
    print("ready now");
    var _ = System.in.read();
  }

  /** Claims whatever is next and does it, until all is done. */
  private void doTasks() throws IOException, InterruptedException {
    getReady();
    while (true) {
      try {
        Claimed claimed = tasks.next(Terms.NONE);
        print("won " + claimed.task());
        tasks.done(claimed.task(), null, List.of(), null);
      } catch (RefusedException e) {
        if (Fields.of(e.details()).number("open", 1) == 0) {
          return;
        }
        // The others are at the last ones; one of them may yet give one back.
        var _ = tasks.next(Terms.NONE, Duration.ofMillis(200));
      }
    }
  }

  /** Takes turns with others; a file that two of them had made at once would betray them. */
  private void takeTurns(int turns, Path file) throws IOException, InterruptedException {
    getReady();
    for (int i = 0; i < turns; i++) {
      Grant grant = locks.lock(LockRequest.of("hot"), LONG);
      Files.createFile(file);
      print("held " + grant.token());
      Files.delete(file);
      locks.release(grant.token());
    }
  }

  private void hold(String path, Duration time) throws IOException, InterruptedException {
    Grant grant = locks.lock(LockRequest.of(path).lasting(time), LONG);
    print("holds " + grant.token());
    var _ = System.in.read();
  }

  /** Takes a path and a task for a short time, and uses them when it is told to. */
  private void comeLate(int rounds) throws IOException, InterruptedException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (int i = 0; i < rounds; i++) {
      long token = locks.lock(LockRequest.of("a").lasting(BRIEF), LONG).token();
      String task = tasks.claim("t" + i, new Terms(List.of(), BRIEF)).task();
      print("holds " + token);
      if (in.readLine() == null) {
        return;
      }
      print(
          String.join(
              " ",
              "late",
              "good=" + locks.isGood(token, "a", ""),
              refusal(() -> locks.renew(token, null)),
              refusal(() -> locks.release(token, List.of("a"))),
              refusal(() -> locks.release(token)),
              refusal(() -> locks.breakOff(token, "mine")),
              refusal(() -> tasks.alive(task)),
              refusal(() -> tasks.done(task, null, List.of(), null)),
              "good=" + locks.isGood(token, "a", "")));
    }
  }

  private static String refusal(Runnable deed) {
    try {
      deed.run();
      return "done";
    } catch (RefusedException e) {
      return e.code();
    }
  }
}
