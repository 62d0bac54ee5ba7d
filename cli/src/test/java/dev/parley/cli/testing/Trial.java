package dev.parley.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.Main;
import dev.parley.cli.terminal.Devices;
import dev.parley.cli.terminal.Shell;
import dev.parley.core.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs command lines in this process, with an environment of their own. */
public final class Trial {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private String input = "";
  private int terminalWidth;
  private boolean asked;
  private Set<String> ignored = Set.of();

  public Trial(Path folder) {
    this.folder = folder;
  }

  /** What a command answered. */
  public record Answer(int exitCode, String out, String err) {
    public List<String> lines() {
      return out.lines().toList();
    }

    /** The answer's only line. */
    public Map<String, Json> json() {
      return Json.parse(out).fields();
    }
  }

  public Trial with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  public Trial input(String text) {
    input = text;
    return this;
  }

  /** Lets a person watch. */
  public Trial onATerminal(int width) {
    terminalWidth = width;
    return this;
  }

  /** Lets a person answer what is asked. */
  public Trial answering(String line) {
    asked = true;
    return input(line + "\n");
  }

  /** The options of the last command line that no code looked at, though they were accepted. */
  public Set<String> ignored() {
    return ignored;
  }

  public Answer run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = run(out, err, args);
    return new Answer(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  public int run(OutputStream out, OutputStream err, String... args) {
    Shell shell =
        new Shell(
            new ByteArrayInputStream(input.getBytes(UTF_8)),
            out,
            err,
            environment,
            folder,
            new Devices() {
              @Override
              public boolean isTerminal(int stream) {
                return (terminalWidth > 0 && stream == STDOUT) || (asked && stream == STDIN);
              }

              @Override
              public boolean isNull(int stream) {
                return false;
              }

              @Override
              public int width() {
                return terminalWidth;
              }

              @Override
              public int height() {
                return 24;
              }
            });
    Main parley = new Main(shell);
    int exitCode = parley.run(args);
    ignored = parley.ignored();
    if (exitCode == 0) {
      assertThat(ignored).as("accepted, and without effect: " + List.of(args)).isEmpty();
    }
    return exitCode;
  }
}
