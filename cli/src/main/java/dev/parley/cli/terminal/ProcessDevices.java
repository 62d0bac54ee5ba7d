package dev.parley.cli.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the system about the streams of this process. */
final class ProcessDevices implements Devices {
  @Override
  public boolean isTerminal(int stream) {
    String device = device(stream);
    if (device == null) {
      Optional<Console> console = Optional.ofNullable(System.console());
      return console.isPresent() && console.get().isTerminal();
    }
    return device.startsWith("/dev/pts/")
        || device.startsWith("/dev/tty")
        || device.equals("/dev/console");
  }

  @Override
  public boolean isNull(int stream) {
    return "/dev/null".equals(device(stream));
  }

  /** Null if the system does not tell. Java's console would take longer to load. */
  private static @Nullable String device(int stream) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  @Override
  public int width() {
    return size().width;
  }

  @Override
  public int height() {
    return size().height;
  }

  private static Size size() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      String[] numbers = said.strip().split(" ", 2);
      int height = Integer.parseInt(numbers[0]);
      int width = Integer.parseInt(numbers[numbers.length - 1]);
      return new Size(
          width > 0 ? width : Size.USUAL.width, height > 0 ? height : Size.USUAL.height);
    } catch (IOException | NumberFormatException e) {
      return Size.USUAL;
    }
  }

  private record Size(int width, int height) {
    static final Size USUAL = new Size(80, 24);
  }
}
