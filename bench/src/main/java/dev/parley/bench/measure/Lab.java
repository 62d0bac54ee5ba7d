package dev.parley.bench.measure;

import dev.parley.bench.process.Actor;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Server;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Where a run takes place: its scale, a folder on a real disk, processes and servers. */
public final class Lab implements AutoCloseable {
  private final Path folder;
  private final boolean quick;
  private final boolean profiling;
  private final AtomicInteger names = new AtomicInteger();
  private @Nullable Server redis;
  private @Nullable Server nats;

  private Lab(Path folder, boolean quick, boolean profiling) {
    this.folder = folder;
    this.quick = quick;
    this.profiling = profiling;
  }

  /** A lab in a new folder under {@code parent}. */
  public static Lab open(Path parent, boolean quick) throws IOException {
    Files.createDirectories(parent);
    Lab lab = new Lab(Files.createTempDirectory(parent, "run-"), quick, false);
    Runtime.getRuntime().addShutdownHook(new Thread(lab::abandon));
    return lab;
  }

  /** The same, but its processes record where their time goes. */
  Lab profiling() throws IOException {
    return new Lab(Files.createTempDirectory(folder, "profile-"), quick, true);
  }

  /** A size: the full one, or one that is only good for trying things out. */
  public int size(int full, int tiny) {
    return quick ? tiny : full;
  }

  public boolean isQuick() {
    return quick;
  }

  /** How many rounds count. */
  public int rounds() {
    return size(5, 2);
  }

  /** The same where more threads than the machine has cores run as fast as they can. */
  public int crowdedRounds() {
    return size(9, 2);
  }

  /**
   * How many rounds are thrown away there: so long the compilers of the JVMs take a good part of
   * the cores.
   */
  public int crowdedRoundsToWarmUp() {
    return size(6, 1);
  }

  public Path folder() {
    return folder;
  }

  /** A new empty folder that only we may use. */
  public Path newFolder() throws IOException {
    return Files.createTempDirectory(folder, "");
  }

  public String newName() {
    return "n" + names.incrementAndGet();
  }

  public Actor actor(Class<? extends Role> role) throws IOException {
    return actor(role, Actor.HEAP);
  }

  public Actor actor(Class<? extends Role> role, List<String> jvmOptions) throws IOException {
    String name = newName();
    List<String> options = new ArrayList<>(jvmOptions);
    if (profiling) {
      options.add(
          "-XX:StartFlightRecording:settings=profile,filename="
              + folder.resolve(name + Profile.SUFFIX));
      options.add("-Xlog:jfr*=off");
    }
    return Actor.start(role, folder.resolve(name + ".err"), options);
  }

  /** The Redis server, started when first asked for. */
  public synchronized Server redis() throws IOException, InterruptedException {
    Server server = redis;
    if (server == null) {
      server = Server.redis(newFolder());
      redis = server;
    }
    return server;
  }

  /** The NATS server, started when first asked for. */
  public synchronized Server nats() throws IOException, InterruptedException {
    Server server = nats;
    if (server == null) {
      server = Server.nats(newFolder());
      nats = server;
    }
    return server;
  }

  /** Stops the servers and deletes the folder; doing it again does nothing. */
  @Override
  public synchronized void close() throws IOException {
    if (redis != null) {
      redis.close();
    }
    if (nats != null) {
      nats.close();
    }
    redis = null;
    nats = null;
    if (Files.exists(folder)) {
      delete(folder);
    }
  }

  /** For a run that was interrupted: no server and no gigabyte shall stay behind. */
  private void abandon() {
    try {
      close();
    } catch (IOException e) {
      System.err.println("left behind: " + folder);
    }
  }

  /** Deletes a folder and all that is in it. */
  public static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
            if (Files.exists(file)) {
              throw error;
            }
            return FileVisitResult.CONTINUE; // its owner was faster
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException error)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
