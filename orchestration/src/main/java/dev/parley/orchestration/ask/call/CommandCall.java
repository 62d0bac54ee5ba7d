package dev.parley.orchestration.ask.call;

import dev.parley.core.writer.WriterId;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.agent.Programs;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Usage;
import dev.parley.orchestration.process.Capture;
import dev.parley.orchestration.process.ProcessTree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a program: starts it in a session of its own, gives it the prompt, and collects its output.
 * All processes that it started are ended when it ends, runs out of time, or the run is stopped.
 */
final class CommandCall {
  /** The variable that marks all processes of one ask. */
  static final String MARK = "PARLEY_ASK";

  /** Answers of this many bytes are taken in one at a time, or their copies would fill memory. */
  private static final int LARGE = 1 << 20;

  private static final Object ONE_LARGE = new Object();

  private static final int MOST_ERRORS = 1 << 16;
  private static final int SHOWN_ERRORS = 400;
  private static final int LOOK_MILLIS = 50;
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final PreparedAsk call;
  private final CallMethod.Command way;
  private final String mark = WriterId.random().toString();
  private final long start = System.nanoTime();
  private final long since = ProcessTree.now();

  private CommandCall(PreparedAsk call, CallMethod.Command way) {
    this.call = call;
    this.way = way;
  }

  static Answer make(PreparedAsk call, CallMethod.Command way) throws InterruptedException {
    return new CommandCall(call, way).run();
  }

  private Answer run() throws InterruptedException {
    Path file = null;
    try {
      file = way.input() == CallMethod.Input.FILE ? promptFile() : null;
      Process process = start(file);
      try {
        return attend(process);
      } catch (InterruptedException e) {
        var _ = tree(process).killAll();
        throw e;
      }
    } catch (IOException e) {
      return call.failed("it can't be started: " + e.getMessage());
    } finally {
      delete(file);
    }
  }

  private Process start(@Nullable Path promptFile) throws IOException {
    List<String> words = new ArrayList<>();
    Path setsid = setsid();
    if (setsid != null) {
      words.add(setsid.toString());
    }
    words.addAll(words(promptFile));
    int program = setsid == null ? 0 : 1;
    words.set(program, program(words.get(program)).toString());
    ProcessBuilder builder = new ProcessBuilder(words).directory(call.ask().folder().toFile());
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(call.environment());
    environment.put(MARK, mark);
    return builder.start();
  }

  /**
   * The program that starts a new session. Without a terminal the agent can't prompt there, and the
   * session id finds all its processes.
   */
  private static @Nullable Path setsid() {
    for (String folder : List.of("/usr/bin", "/bin")) {
      Path setsid = Path.of(folder, "setsid");
      if (Files.isExecutable(setsid)) {
        return setsid;
      }
    }
    return null;
  }

  /** Checked here, because otherwise a missing program would look like an exit code of setsid. */
  private Path program(String word) throws IOException {
    Path folder = call.ask().folder();
    Path found =
        word.contains("/")
            ? Programs.executable(folder.resolve(word))
            : Programs.onPath(word, call.environment());
    if (found == null) {
      throw new IOException(
          "there is no program " + word + (word.contains("/") ? "" : " on the PATH"));
    }
    return found;
  }

  private List<String> words(@Nullable Path promptFile) {
    return switch (way.input()) {
      case STDIN -> way.words();
      case ARGUMENT -> with("{prompt}", call.ask().prompt());
      case FILE -> with("{file}", String.valueOf(promptFile));
    };
  }

  private List<String> with(String placeholder, String value) {
    List<String> words = new ArrayList<>();
    boolean placed = false;
    for (String word : way.words()) {
      placed |= word.contains(placeholder);
      words.add(word.replace(placeholder, value));
    }
    if (!placed) {
      words.add(value);
    }
    return words;
  }

  private Path promptFile() throws IOException {
    Path file =
        Files.createTempFile(
            "parley-prompt-",
            ".md",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, call.ask().prompt());
    return file;
  }

  private static void delete(@Nullable Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // It stays in the folder for temporary files.
    }
  }

  private ProcessTree tree(Process process) {
    return new ProcessTree(process.pid(), MARK + "=" + mark, since);
  }

  private Answer attend(Process process) throws InterruptedException {
    String name = "ask-" + call.agent().name();
    Capture out = Capture.start(process.getInputStream(), call.maxOutput(), name + "-out");
    Capture err = Capture.start(process.getErrorStream(), MOST_ERRORS, name + "-err");
    String prompt = way.input() == CallMethod.Input.STDIN ? call.ask().prompt() : "";
    Thread.ofPlatform().daemon().name(name + "-in").start(() -> feed(process, prompt));
    boolean ended = awaitEnd(process);
    int members = ended ? 0 : tree(process).end();
    int leftovers = finish(process, out, err);
    if (out.size() < LARGE) {
      return answer(process, out, err, ended, members, leftovers);
    }
    synchronized (ONE_LARGE) {
      return answer(process, out, err, ended, members, leftovers);
    }
  }

  private Answer answer(
      Process process, Capture out, Capture err, boolean ended, int members, int leftovers) {
    boolean stopped = call.stopped().getAsBoolean();
    String said = out.text();
    call.transcript()
        .printed(call.secrets().removedFrom(said), call.secrets().removedFrom(err.text()));
    if (!ended) {
      return stopped
          ? answer(Answer.Status.STOPPED, out, said, "the run was stopped")
          : answer(
              Answer.Status.TIMED_OUT,
              out,
              said,
              "no answer within "
                  + seconds(call.timeout())
                  + "; "
                  + (members == 1 ? "its process was" : "its " + members + " processes were")
                  + " ended");
    }
    return result(process.exitValue(), out, said, err, leftovers);
  }

  private static String seconds(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  private static void feed(Process process, String prompt) {
    try (OutputStream in = process.getOutputStream()) {
      in.write(prompt.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // A program need not read its prompt.
    }
  }

  private boolean awaitEnd(Process process) throws InterruptedException {
    long limit = call.timeout().toNanos();
    while (!call.stopped().getAsBoolean()) {
      long left = limit - (System.nanoTime() - start);
      if (left <= 0) {
        return false;
      }
      long look = Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
      if (process.waitFor(look, TimeUnit.NANOSECONDS)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends the processes that the program left behind: they may hold its streams, or run on unseen.
   */
  private int finish(Process process, Capture out, Capture err) throws InterruptedException {
    boolean closed = out.await(PATIENCE) && err.await(PATIENCE);
    int leftovers = tree(process).end();
    if (!closed) {
      // A process that was not found may still hold the streams; the rest is not read.
      var _ = out.await(PATIENCE) && err.await(PATIENCE);
    }
    return leftovers;
  }

  private Answer result(int exitCode, Capture out, String said, Capture err, int leftovers) {
    HostOutput output = HostOutput.read(way.output(), said);
    if (exitCode != 0 || !output.error().isEmpty()) {
      String why = output.error().isEmpty() ? lastWords(err, said) : shortened(output.error());
      String error =
          exitCode == 0 ? why : "exit code " + exitCode + (why.isEmpty() ? "" : ": " + why);
      return new Answer(
          call.agent().name(),
          Answer.Status.FAILED,
          call.secrets().removedFrom(output.text()),
          call.secrets().removedFrom(error),
          exitCode,
          elapsed(),
          output.usage(),
          1,
          out.wasCut(),
          leftovers);
    }
    return new Answer(
        call.agent().name(),
        output.text().isBlank() ? Answer.Status.EMPTY : Answer.Status.ANSWERED,
        call.secrets().removedFrom(output.text()),
        output.text().isBlank() ? "it said nothing" : "",
        exitCode,
        elapsed(),
        output.usage(),
        1,
        out.wasCut(),
        leftovers);
  }

  private Answer answer(Answer.Status status, Capture out, String said, String error) {
    return new Answer(
        call.agent().name(),
        status,
        call.secrets().removedFrom(said.strip()),
        error,
        -1,
        elapsed(),
        Usage.UNKNOWN,
        1,
        out.wasCut());
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** A host may report a whole answer as its error; a line of the bus has no room for that. */
  private static String shortened(String error) {
    return error.length() <= SHOWN_ERRORS ? error : error.substring(0, SHOWN_ERRORS) + "…";
  }

  /** The end of a program's error output, where the reason usually is. */
  private static String lastWords(Capture err, String said) {
    String text = err.text().strip();
    if (text.isEmpty()) {
      text = said.strip();
    }
    return text.length() <= SHOWN_ERRORS
        ? text
        : "…" + text.substring(text.length() - SHOWN_ERRORS);
  }
}
