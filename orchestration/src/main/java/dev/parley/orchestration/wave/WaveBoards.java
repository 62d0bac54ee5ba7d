package dev.parley.orchestration.wave;

import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.bulletin.BulletinAlias;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.filelog.EphemeralFolder;
import dev.parley.filelog.watch.PollingInterval;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.loop.BoardMirror;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bus folder of a run in waves, in Conclave's layout, so that Conclave's workers can take part.
 *
 * <pre>
 * .conclave/bus/                         or BUS_DIR; there while the run works
 *   .pid                                 its owner
 *   .run                                 the run
 *   wave-0/parallel.wave-0.board.jsonl   the board of the first wave
 * </pre>
 *
 * A folder whose owner was killed is replaced, after its workers' last messages are transferred.
 */
final class WaveBoards implements AutoCloseable {
  private static final String RUN = ".run";
  private static final Path USUAL = Path.of(".conclave", "bus");
  private static final int IDLE_LOOKS = 5;

  private final Run run;
  private final EphemeralFolder owned;
  private final PollingInterval polling;
  private final Map<Integer, BoardMirror> mirrors = new TreeMap<>();
  private @Nullable Thread thread;
  private boolean closed;

  private WaveBoards(Run run, EphemeralFolder owned, PollingInterval polling) {
    this.run = run;
    this.owned = owned;
    this.polling = polling;
  }

  /**
   * Creates the folder.
   *
   * @param top the folder of the working tree
   * @throws ParleyException REFUSED if its owner is alive, or it holds something else
   */
  static WaveBoards open(Run run, Path top) throws IOException {
    Map<String, String> environment = run.context().environment();
    PollingInterval polling = PollingInterval.from(environment);
    Path folder = folder(top, environment);
    salvage(run, folder);
    EphemeralFolder owned;
    try {
      owned = EphemeralFolder.createForConclave(folder);
    } catch (ParleyException e) {
      if (e.kind() != ParleyException.Kind.REFUSED) {
        throw e;
      }
      throw ParleyException.refused(
          e.code(), e.what(), "Name another folder for the boards of this run: BUS_DIR.");
    }
    Files.writeString(folder.resolve(RUN), run.id() + "\n");
    WaveBoards boards = new WaveBoards(run, owned, polling);
    boards.start();
    return boards;
  }

  /** {@code BUS_DIR} may also name a bus of Parley's own; then it is ignored. */
  private static Path folder(Path top, Map<String, String> environment) {
    String named = environment.getOrDefault("BUS_DIR", "");
    Path folder = top.resolve(named.isEmpty() ? USUAL : Path.of(named)).normalize();
    return Files.exists(folder.resolve("bus.json")) ? top.resolve(USUAL) : folder;
  }

  /** Transfers the messages in the folder of a killed run. */
  private static void salvage(Run run, Path folder) throws IOException {
    Log log = run.context().log();
    Path mark = folder.resolve(RUN);
    if (!Files.isRegularFile(mark)) {
      return;
    }
    String id = Files.readString(mark).strip();
    RunRecord before =
        RunRecord.all(log).stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
    if (before == null || (before.isAlive() && !id.equals(run.id()))) {
      return;
    }
    try (DirectoryStream<Path> waves = Files.newDirectoryStream(folder, "wave-*")) {
      for (Path wave : waves) {
        String name = String.valueOf(wave.getFileName()).substring("wave-".length());
        if (name.matches("\\d{1,6}")) {
          int number = Integer.parseInt(name);
          var _ =
              new BoardMirror(log, Bulletin.topic(bulletin(id, number)), wave, null, text -> {})
                  .exchange();
        }
      }
    }
  }

  /** The bulletin of a wave, from 0. */
  static String bulletin(String run, int wave) {
    return run + "-wave-" + wave;
  }

  String bulletin(int wave) {
    return bulletin(run.id(), wave);
  }

  Path folder() {
    return owned.path();
  }

  /** The folder where workers of a wave find its board. */
  Path folder(int wave) {
    return owned.path().resolve("wave-" + wave);
  }

  /** The name of its board there. */
  static String topic(int wave) {
    return BulletinAlias.board(Bulletin.topic("wave-" + wave));
  }

  /** The mirror of a wave's board, whose folder is created. */
  BoardMirror board(int wave) throws IOException {
    synchronized (mirrors) {
      BoardMirror known = mirrors.get(wave);
      if (known != null) {
        return known;
      }
      Files.createDirectories(folder(wave));
      BoardMirror mirror =
          new BoardMirror(
              run.context().log(),
              Bulletin.topic(bulletin(wave)),
              folder(wave),
              topic(wave),
              run::tell);
      mirrors.put(wave, mirror);
      return mirror;
    }
  }

  /** Transfers what is new on all boards. */
  private boolean exchange() {
    boolean news = false;
    synchronized (mirrors) {
      for (BoardMirror mirror : mirrors.values()) {
        news |= mirror.exchange();
      }
    }
    return news;
  }

  private void start() {
    thread = Thread.ofPlatform().daemon().name("boards").start(this::keepInStep);
  }

  /** Checks often while messages arrive, and seldom while none do. */
  private void keepInStep() {
    int idle = 0;
    try {
      while (true) {
        idle = exchange() ? 0 : idle + 1;
        synchronized (this) {
          if (closed) {
            return;
          }
          wait((idle > IDLE_LOOKS ? polling.longest() : polling.first()).toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ParleyException e) {
      run.tell("the boards are kept no longer: " + Explanation.messageOf(e));
    }
  }

  /** Transfers the last messages, and removes the folder. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      Thread watching = thread;
      if (watching != null) {
        watching.join();
      }
      var _ = exchange();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ParleyException e) {
      ForeignFile.checkIsTrouble(e);
    } finally {
      owned.close();
    }
  }
}
