package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.parley.core.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing here waits for the alarm: it is there when the call that causes it returns. */
class SentryTest {
  private static final int TIMES = Seed.isLong() ? 20_000 : 500;
  private static final Sentry SENTRY = new Sentry(Duration.ZERO);

  @BeforeEach
  void isPossible() {
    assumeThat(SystemCalls.areAllowed()).isTrue();
  }

  private interface Event {
    void happenAt(Place place) throws IOException;
  }

  /** A bus some way down, with a topic in it. */
  private record Place(ProofFolder home, Path bus, Path topic) implements AutoCloseable {
    static Place on(ProofFolder home) throws IOException {
      Path bus = Files.createDirectories(home.path().toRealPath().resolve("project/part/.bus"));
      return new Place(home, bus, Files.createFile(bus.resolve("a.jsonl")));
    }

    Path project() throws IOException {
      return home.path().toRealPath().resolve("project");
    }

    Path sibling(String name) {
      return bus.resolve(name);
    }

    @Override
    public void close() throws IOException {
      home.close();
    }
  }

  /** The number of watches a user may have is limited, and old ones take their time to end. */
  private static Sentry.Post guard(Path folder) {
    return await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> SENTRY.guard(folder), post -> post != null);
  }

  private static void replace(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Each of them leaves another file at the path of the topic, or none. */
  private static final Map<String, Event> EVENTS =
      Map.of(
          "moved away",
          place -> replace(place.topic, place.sibling("aside")),
          "another moved over it",
          place -> replace(place.sibling("other"), place.topic),
          "kept under a second name and replaced",
          place -> {
            Files.createLink(place.sibling("backup"), place.topic);
            replace(place.sibling("other"), place.topic);
          },
          "deleted",
          place -> Files.delete(place.topic),
          "folder moved",
          place -> replace(place.bus, place.bus.resolveSibling("moved")),
          "a folder above moved",
          place -> replace(place.project(), place.project().resolveSibling("gone")));

  @Test
  void whateverTakesAFileFromItsPlaceIsKnownAtOnceAndNothingElseDisturbs() throws Exception {
    for (Map.Entry<String, Event> event : EVENTS.entrySet()) {
      try (Place onDisk = Place.on(ProofFolder.onDisk());
          Place inMemory = Place.on(ProofFolder.onTmpfs())) {
        for (Place place : List.of(onDisk, inMemory)) {
          Sentry.Post post = guard(place.bus);
          Files.createFile(place.sibling("other"));
          Files.writeString(place.topic, "line\n", StandardOpenOption.APPEND);
          Files.createFile(place.home.resolve("beside"));
          Files.delete(place.home.resolve("beside"));
          assertThat(post.isQuiet()).as("before: %s", event.getKey()).isTrue();
          event.getValue().happenAt(place);
          assertThat(post.isQuiet()).as(event.getKey()).isFalse();
        }
      }
    }
  }

  @Test
  void ofManyMovesByAnotherThreadNoneIsKnownLate() throws Exception {
    try (Place place = Place.on(ProofFolder.onTmpfs())) {
      Path aside = place.sibling("aside");
      AtomicInteger asked = new AtomicInteger();
      AtomicInteger moved = new AtomicInteger();
      Thread mover =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 1; i <= TIMES; i++) {
                  while (asked.get() < i) {
                    Thread.onSpinWait();
                  }
                  try {
                    replace(i % 2 == 1 ? place.topic : aside, i % 2 == 1 ? aside : place.topic);
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  } finally {
                    moved.set(i);
                  }
                }
              });
      for (int i = 1; i <= TIMES; i++) {
        Sentry.Post post = guard(place.bus);
        assertThat(post.isQuiet()).isTrue();
        asked.set(i);
        while (moved.get() < i) {
          Thread.onSpinWait();
        }
        assertThat(post.isQuiet()).as("move %d", i).isFalse();
      }
      mover.join();
      Seed.say(TIMES + " files moved, each known when the call had returned");
    }
  }

  @Test
  void whatAnotherProcessMovedIsKnownWhenItHasEnded() throws Exception {
    try (Place place = Place.on(ProofFolder.onDisk())) {
      Sentry.Post post = guard(place.bus);
      Process process =
          new ProcessBuilder("mv", place.topic.toString(), place.sibling("aside").toString())
              .start();
      assertThat(process.waitFor()).isZero();
      assertThat(post.isQuiet()).isFalse();
    }
  }

  @Test
  void onePostWatchesManyFoldersAndOneAlarmIsForAll() throws Exception {
    try (Place one = Place.on(ProofFolder.onTmpfs());
        Place other = Place.on(ProofFolder.onTmpfs())) {
      Sentry.Post post = guard(one.bus);
      assertThat(SENTRY.guard(other.bus)).isSameAs(post);
      Files.delete(one.topic);
      assertThat(post.isQuiet()).isFalse();
      Sentry.Post next = guard(other.bus);
      assertThat(next).isNotSameAs(post);
      assertThat(next.isQuiet()).isTrue();
      assertThat(post.isQuiet()).isFalse();
    }
  }

  @Test
  void afterAnAlarmNobodyIsOnPostForAWhile() throws Exception {
    try (Place place = Place.on(ProofFolder.onTmpfs())) {
      Sentry slow = new Sentry(Duration.ofDays(1));
      Sentry.Post post = slow.guard(place.bus);
      assertThat(post).isNotNull();
      Files.delete(place.topic);
      assertThat(post.isQuiet()).isFalse();
      Sentry.Post same = slow.guard(place.bus);
      assertThat(same == null || !same.isQuiet()).isTrue();
    }
  }

  @Test
  void whatItCouldNotSeeItDoesNotWatch() throws Exception {
    try (Place place = Place.on(ProofFolder.onTmpfs())) {
      Path link = Files.createSymbolicLink(place.home.resolve("link"), place.bus);
      assertThat(SENTRY.guard(link)).as("a link can be exchanged").isNull();
      assertThat(SENTRY.guard(Path.of("/proc/sys"))).as("not of this kernel's files").isNull();
      assertThat(SENTRY.guard(place.sibling("none"))).isNull();
    }
  }
}
