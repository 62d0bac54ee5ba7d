package dev.parley.bench.process;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The child's side of an {@link Actor}: where a role speaks. */
public final class Stage {
  /** Tells an answer from whatever a library prints to stdout. */
  static final String MARK = "@@ ";

  private final PrintStream out;

  private Stage(PrintStream out) {
    this.out = out;
  }

  /** Answers with a line of words. */
  public void say(Object... words) {
    StringBuilder line = new StringBuilder(MARK);
    for (Object word : words) {
      line.append(word).append(' ');
    }
    synchronized (out) {
      out.println(line.toString().stripTrailing());
      out.flush();
    }
  }

  /** Plays the role named by the first argument until stdin ends. */
  public static void main(String[] args) throws Exception {
    Stage stage =
        new Stage(
            new PrintStream(
                new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8));
    Role role =
        Class.forName(args[0]).asSubclass(Role.class).getDeclaredConstructor().newInstance();
    BlockingQueue<String> cues = new LinkedBlockingQueue<>();
    Thread _ = Thread.ofPlatform().daemon().name("cues").start(() -> hear(cues));
    while (true) {
      try {
        role.play(new Cue(cues.take()), stage);
      } catch (Exception | LinkageError e) {
        e.printStackTrace();
        stage.say("failed", e);
      }
    }
  }

  /** Passes cues on. When stdin ends the process does too, whatever it is waiting for. */
  private static void hear(BlockingQueue<String> cues) {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        cues.add(line);
      }
    } catch (IOException e) {
      // Whoever started us is gone.
    }
    System.exit(0);
  }
}
