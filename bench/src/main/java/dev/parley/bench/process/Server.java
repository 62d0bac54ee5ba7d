package dev.parley.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A peer's server on loopback, with a port and a folder of its own. */
public final class Server implements AutoCloseable {
  private final Process process;
  private final int port;

  private Server(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Redis with its append-only file, synced once a second as is its default. */
  public static Server redis(Path folder) throws IOException, InterruptedException {
    int port = freePort();
    return start(
        folder,
        port,
        List.of(
            program("redis-server"),
            "--bind",
            "127.0.0.1",
            "--port",
            "" + port,
            "--dir",
            folder.toString(),
            "--appendonly",
            "yes",
            "--save",
            ""));
  }

  /** NATS with JetStream and otherwise its defaults. */
  public static Server nats(Path folder) throws IOException, InterruptedException {
    int port = freePort();
    return start(
        folder,
        port,
        List.of(
            program("nats-server"),
            "--addr",
            "127.0.0.1",
            "--port",
            "" + port,
            "--jetstream",
            "--store_dir",
            folder.toString()));
  }

  /** Where a program is installed; Debian puts servers where users don't look. */
  public static String program(String name) throws IOException {
    for (String folder : (System.getenv("PATH") + ":/usr/sbin:/usr/local/bin").split(":", -1)) {
      Path file = Path.of(folder, name);
      if (Files.isExecutable(file)) {
        return file.toString();
      }
    }
    throw new IOException(name + " is not installed");
  }

  private static Server start(Path folder, int port, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.log").toFile())
            .start();
    for (int attempt = 0; attempt < 100; attempt++) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return new Server(process, port);
      } catch (IOException e) {
        Thread.sleep(100);
      }
    }
    process.destroyForcibly();
    throw new IOException(command.getFirst() + " did not start");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
