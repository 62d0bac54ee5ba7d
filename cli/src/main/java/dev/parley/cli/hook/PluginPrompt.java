package dev.parley.cli.hook;

import dev.parley.mcp.wake.CannotWakeException;
import dev.parley.mcp.wake.WakeCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Gives notices to the plugin of a host, each as a line. The plugin makes a prompt of it and
 * answers with a line: {@code ok} once the host has taken it, or else why it has not, in a word.
 */
final class PluginPrompt implements WakeCall {
  private static final int PATIENCE_SECONDS = 20;
  private static final String TAKEN = "ok";
  private static final String CODE = "[a-z0-9-]{1,60}";

  /** Stands for the end of the plugin's output. */
  private static final String END = "host-is-gone";

  private final OutputStream out;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private volatile boolean isOver;

  private PluginPrompt(OutputStream out) {
    this.out = out;
  }

  /** The plugin that started this process. */
  static PluginPrompt over(InputStream in, OutputStream out) {
    PluginPrompt plugin = new PluginPrompt(out);
    Thread _ = Thread.ofPlatform().daemon().name("plugin").start(() -> plugin.read(in));
    return plugin;
  }

  private void read(InputStream in) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.add(line.strip());
      }
    } catch (IOException e) {
      // The plugin is gone.
    }
    isOver = true;
    answers.add(END);
  }

  /** Whether somebody still reads the notices. */
  boolean isThere() {
    return !isOver;
  }

  @Override
  public void wake(String notice) throws InterruptedException, CannotWakeException {
    try {
      if (isOver) {
        throw new CannotWakeException(END);
      }
      answers.clear(); // an answer that came too late is not one to this notice
      out.write((notice + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new CannotWakeException(END);
    }
    String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (answer == null) {
      throw new CannotWakeException("plugin-timed-out");
    }
    if (!answer.equals(TAKEN)) {
      throw new CannotWakeException(answer.matches(CODE) ? answer : "prompt-refused");
    }
  }
}
