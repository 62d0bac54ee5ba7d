package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 0.6: a bus folder that is removed when its owner ends. */
class EphemeralBusTest {
  @TempDir private Path home;

  /** Owns a folder until it is killed. */
  static final class Owner {
    private Owner() {}

    public static void main(String[] arguments) throws Exception {
      try (EphemeralBus bus = EphemeralBus.create(Path.of(arguments[0]), Map.of())) {
        System.out.println("owned " + bus.folder().path());
        var _ = System.in.read();
      }
    }
  }

  private static Process startOwner(Path folder) throws IOException {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(owner.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).startsWith("owned");
    return owner;
  }

  private EphemeralBus create(Path folder) {
    return EphemeralBus.create(folder, Map.of());
  }

  @Test
  void closingRemovesTheFolder() {
    Path folder = home.resolve("bus");
    try (EphemeralBus bus = create(folder)) {
      assertThat(bus.folder().path()).isDirectory();
      assertThat(folder.resolve(".pid")).exists();
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void aFolderWithALiveOwnerIsRefused() throws Exception {
    Path folder = home.resolve("bus");
    Process owner = startOwner(folder);

    assertThatThrownBy(() -> create(folder))
        .isInstanceOfSatisfying(
            ParleyException.class,
            e -> {
              assertThat(e.code()).isEqualTo("owned");
              assertThat(e.what()).contains(Long.toString(owner.pid()));
            });

    owner.getOutputStream().close();
    assertThat(owner.waitFor()).isZero();
    assertThat(folder).doesNotExist();
  }

  @Test
  void aFolderOfAKilledOwnerIsReplaced() throws Exception {
    Path folder = home.resolve("bus");
    Process owner = startOwner(folder);
    Files.writeString(folder.resolve("old.jsonl"), "{\"type\":\"old\"}\n");
    owner.destroyForcibly().waitFor();

    try (EphemeralBus bus = create(folder)) {
      assertThat(bus.folder().path().resolve("old.jsonl")).doesNotExist();
    }
  }

  @Test
  void twoInOneProcessDoNotTakeTheSameFolder() {
    Path folder = home.resolve("bus");
    try (EphemeralBus bus = create(folder)) {
      assertThatThrownBy(() -> create(folder)).hasMessageContaining("this process");
      assertThat(bus.folder().path()).isDirectory();
    }
    create(folder).close();
  }

  @Test
  void anotherToolsPidCountsWhileItsProcessRuns() throws Exception {
    Path folder = Files.createDirectory(home.resolve("bus"));
    Files.writeString(folder.resolve(".pid"), ProcessHandle.current().pid() + "\n");
    assertThatThrownBy(() -> create(folder)).hasMessageContaining("alive");

    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    Files.writeString(folder.resolve(".pid"), Long.toString(ended.pid()));
    create(folder).close();
    assertThat(folder).doesNotExist();
  }

  @Test
  void aPidThatWasGivenToANewerProcessDoesNotCount() throws Exception {
    Path folder = Files.createDirectory(home.resolve("bus"));
    Path pid =
        Files.writeString(folder.resolve(".pid"), Long.toString(ProcessHandle.current().pid()));
    Files.setLastModifiedTime(pid, FileTime.fromMillis(1_000_000));

    create(folder).close();

    assertThat(folder).doesNotExist();
  }

  @Test
  void aFolderThatIsNoEphemeralBusIsNeverRemoved() throws Exception {
    Path folder = Files.createDirectory(home.resolve("precious"));
    Files.writeString(folder.resolve("work.txt"), "mine");

    assertThatThrownBy(() -> create(folder))
        .isInstanceOfSatisfying(
            ParleyException.class, e -> assertThat(e.code()).isEqualTo("not-ephemeral"));
    assertThat(folder.resolve("work.txt")).hasContent("mine");
  }
}
