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
  private static final int USUAL_WIDTH = 80;

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
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      int width = Integer.parseInt(size.substring(size.indexOf(' ') + 1).strip());
      return width > 0 ? width : USUAL_WIDTH;
    } catch (IOException | NumberFormatException e) {
      return USUAL_WIDTH;
    }
  }
}
