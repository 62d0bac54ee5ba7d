package dev.parley.orchestration.ask;

import dev.parley.core.ParleyException;
import dev.parley.core.time.Timestamps;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The folder of a run, for people and other tools. Parley reads nothing from it; only the bus
 * counts.
 *
 * <pre>
 * runs/run_20261118-202216-4711/   0700
 *   prompt.md                      what the run is about, or the prompt of its only ask
 *   cwd.txt                        RUN_ID=…, CWD=…, AGENT=…, CMD=…, …, and EXIT_CODE=… at the end
 *   pid.txt                        while it runs
 *   lock                           held while it runs: the proof of life
 *   agent-stdout.txt               what the agents printed, as it was
 *   agent-stderr.txt               what they complained of
 *   run.log                        a line for each event, with prompts and answers set off below it
 *   agent-logs/&lt;agent&gt;.txt         what it was asked and answered, one after the other
 *   prompts/&lt;n&gt;-&lt;stage&gt;-&lt;agent&gt;.md
 *   artifacts/                     what came of it, such as review-packet.md
 * </pre>
 */
public final class RunFolder implements AutoCloseable {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** The page for a reviewer. */
  public static final String REVIEW_PACKET = "artifacts/review-packet.md";

  private static final String LOCK = "lock";
  private static final int MOST_NAMES = 10_000;

  /**
   * Folders locked by this process. Needed because closing any channel of a file releases this
   * process's locks on it.
   */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;

  private RunFolder(Path path, FileChannel channel, FileLock lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /** Creates the folder of a new run. */
  static RunFolder create(Path runs, Instant now) {
    String name = "run_" + STAMP.format(now) + "-" + ProcessHandle.current().pid();
    try {
      Files.createDirectories(runs);
      for (int i = 1; i < MOST_NAMES; i++) {
        Path path = runs.resolve(i == 1 ? name : name + "-" + i);
        try {
          Files.createDirectory(
              path,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
          continue;
        }
        return open(path);
      }
      throw new IOException("too many runs at once");
    } catch (IOException e) {
      throw trouble(runs, e);
    }
  }

  /**
   * The folder of a run that is resumed. A folder that was removed is created again.
   *
   * @throws ParleyException REFUSED if another process works on the run
   */
  static RunFolder resume(Path path) {
    try {
      SafeFiles.createFolder(path);
      return open(path);
    } catch (IOException e) {
      throw trouble(path, e);
    }
  }

  private static RunFolder open(Path path) throws IOException {
    for (String folder : new String[] {"agent-logs", "prompts", "artifacts"}) {
      SafeFiles.createFolder(path.resolve(folder));
    }
    Path file = path.resolve(LOCK);
    SafeFiles.createFile(file);
    FileChannel channel = OURS.add(path) ? FileChannel.open(file, StandardOpenOption.WRITE) : null;
    FileLock lock = channel == null ? null : channel.tryLock();
    if (channel == null || lock == null) {
      if (channel != null) {
        channel.close();
        OURS.remove(path);
      }
      throw ParleyException.refused(
          "run-alive",
          "The run " + path.getFileName() + " is being worked on by another process.",
          "Watch it with parley runs show " + path.getFileName() + ", or stop it first.");
    }
    RunFolder folder = new RunFolder(path, channel, lock);
    folder.write("pid.txt", ProcessHandle.current().pid() + "\n");
    return folder;
  }

  /** Whether a process works on this folder's run. */
  static boolean isAlive(Path path) {
    Path file = path.resolve(LOCK);
    if (OURS.contains(path) || !Files.exists(file)) {
      return OURS.contains(path);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (IOException e) {
      return false;
    }
  }

  private static ParleyException trouble(Path path, IOException cause) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "run-folder",
        "The folder of the run can't be written: " + path + " (" + cause.getMessage() + ").",
        "Name another with --runs-dir or RUNS_DIR.",
        cause);
  }

  public Path path() {
    return path;
  }

  /** The name of the folder, which is the run's id. */
  public String id() {
    return String.valueOf(path.getFileName());
  }

  /** The folder for the run's results. */
  public Path artifacts() {
    return path.resolve("artifacts");
  }

  /** Replaces a file of the folder. */
  public void write(String name, String text) {
    put(name, text, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Creates a file of the folder unless it exists. */
  void writeIfAbsent(String name, String text) {
    if (!Files.exists(path.resolve(name))) {
      write(name, text);
    }
  }

  /** Adds to a file of the folder. */
  public void append(String name, String text) {
    put(name, text, StandardOpenOption.APPEND);
  }

  /**
   * Adds one line to {@code run.log}. Line breaks in foreign text are removed, so that it can't
   * forge lines.
   */
  public void log(String line) {
    append("run.log", Timestamps.format(Instant.now()) + " " + oneLine(line) + "\n");
  }

  static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }

  void describe(Map<String, String> values) {
    StringBuilder text = new StringBuilder();
    values.forEach(
        (name, value) -> text.append(name).append('=').append(oneLine(value)).append('\n'));
    write("cwd.txt", text.toString());
  }

  private void put(String name, String text, StandardOpenOption how) {
    Path file = path.resolve(name);
    try {
      SafeFiles.createFile(file);
      Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.WRITE, how);
    } catch (IOException e) {
      throw trouble(file, e);
    }
  }

  /** The run is over, or is left for another process to resume. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(path.resolve("pid.txt"));
      lock.release();
      channel.close();
      OURS.remove(path);
    } catch (IOException e) {
      // The lock ends with the process.
    }
  }
}
