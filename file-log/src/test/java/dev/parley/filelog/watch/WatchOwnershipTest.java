package dev.parley.filelog.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.core.Limits;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchOwnershipTest {
  private static final Set<Topic> NEW = Set.of(new Topic("a"));

  private final WatchOwnership ownership = new WatchOwnership();
  private FileLog log;
  private FileDoorbell doorbell;

  @BeforeEach
  void hang(@TempDir Path folder) {
    log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
    doorbell = hang("a");
  }

  @AfterEach
  void close() {
    log.close();
  }

  private FileDoorbell hang(String prefix) {
    FileDoorbell hung = (FileDoorbell) log.doorbell(Prefix.of(prefix));
    ownership.add(hung);
    return hung;
  }

  private void lend() {
    ownership.lendAndRing(NEW, topic -> {});
  }

  /**
   * A reader that read before an append, and takes the watch after the watch reported that append,
   * must find that its doorbell has rung.
   */
  @Test
  void aReaderThatTakesTheLentWatchFindsThatItsDoorbellHasRung() throws Exception {
    AtomicBoolean rung = new AtomicBoolean();
    FutureTask<Boolean> satAndHeard =
        new FutureTask<>(() -> ownership.take(doorbell) && rung.get());
    Thread waiting = Thread.ofPlatform().unstarted(satAndHeard);

    ownership.lendAndRing(
        NEW,
        topic -> {
          waiting.start();
          await()
              .pollInSameThread()
              .pollInterval(Duration.ofMillis(1))
              .until(() -> satAndHeard.isDone() || waiting.getState() == Thread.State.BLOCKED);
          rung.set(true);
        });

    assertThat(satAndHeard.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theWatchIsLentOnlyToTheReaderThatIsRung() {
    ownership.lendAndRing(Set.of(new Topic("b")), topic -> {});
    assertThat(ownership.take(doorbell)).isFalse();
  }

  @Test
  void itIsNotLentWhereTwoWait() {
    hang("b");
    lend();
    assertThat(ownership.take(doorbell)).isFalse();
  }

  @Test
  void onceDemandedItIsLentOnlyTheTimeAfterNext() {
    ownership.reclaim();
    lend();
    assertThat(ownership.take(doorbell)).isFalse();
    lend();
    assertThat(ownership.take(doorbell)).isTrue();
  }

  @Test
  void aReaderKeepsTheWatchUntilItReleasesIt() {
    lend();
    assertThat(ownership.take(doorbell)).isTrue();
    FileDoorbell second = hang("b");
    assertThat(ownership.isTaken()).isTrue();
    assertThat(ownership.take(second)).isFalse();
    ownership.release();
    assertThat(ownership.take(doorbell)).isFalse();
  }

  /** Nothing would end the wait of this reader, because its doorbell was closed before. */
  @Test
  void aReaderWithARemovedDoorbellDoesNotGetTheWatch() {
    FileDoorbell second = hang("a");
    assertThat(ownership.remove(doorbell)).isTrue();
    assertThat(ownership.remove(doorbell)).isFalse();
    lend();
    assertThat(ownership.take(doorbell)).isFalse();
    assertThat(ownership.take(second)).isTrue();
  }
}
