package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Bookmark;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.testing.OpenFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The resources that a process may use are set in its environment. */
class ResourceLimitsTest {
  private static final int TOPICS = 20;
  private static final Message MESSAGE = Message.of("alice", "note", Json.NULL);

  @TempDir private Path folder;

  @Test
  void withoutSettingsItIsTheUsualOne() {
    assertThat(ResourceLimits.from(Map.of("PARLEY_OPEN_TOPICS", " ")))
        .isEqualTo(new ResourceLimits(256, 64, 65_536));
  }

  @Test
  void eachIsSetByItself() {
    assertThat(ResourceLimits.from(Map.of("PARLEY_OPEN_TOPICS", "1")))
        .isEqualTo(new ResourceLimits(1, 64, 65_536));
    assertThat(ResourceLimits.from(Map.of("PARLEY_READ_TOPICS", "2")))
        .isEqualTo(new ResourceLimits(256, 2, 65_536));
    assertThat(ResourceLimits.from(Map.of("PARLEY_MAX_PENDING", "3")))
        .isEqualTo(new ResourceLimits(256, 64, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "1.5", "99999999999"})
  void whatIsNoSuchNumberIsRefusedBeforeTheBusIsUsed(String value) throws Exception {
    BusFolder.init(folder, folder, Map.of());
    for (String name : List.of("PARLEY_OPEN_TOPICS", "PARLEY_READ_TOPICS", "PARLEY_MAX_PENDING")) {
      assertThatThrownBy(() -> BusFolder.find(folder, folder, Map.of(name, value)))
          .isInstanceOfSatisfying(
              ParleyException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(ParleyException.Kind.INVALID);
                assertThat(e.what()).contains(name + "=" + value);
              });
    }
  }

  @Test
  void onlySoManyTopicsStayOpenForAppending() throws Exception {
    try (FileLog log = open("PARLEY_OPEN_TOPICS", "3")) {
      for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < TOPICS; i++) {
          Stored stored = log.append(new Topic("t" + i), List.of(MESSAGE)).getFirst();
          assertThat(stored.seq()).isEqualTo(round);
        }
      }
      // One descriptor for appending and one for reading.
      assertThat(OpenFiles.in(folder)).isBetween(1L, 2L * 3);
    }
  }

  @Test
  void onlySoManyTopicsStayOpenForReading() throws Exception {
    try (FileLog log = open("PARLEY_OPEN_TOPICS", "1")) {
      for (int i = 0; i < TOPICS; i++) {
        var _ = log.append(new Topic("t" + i), List.of(MESSAGE));
      }
    }
    try (FileLog log = open("PARLEY_READ_TOPICS", "3")) {
      for (int i = 0; i < TOPICS; i++) {
        assertThat(log.read(new Topic("t" + i), Bookmark.START, 10).envelopes()).hasSize(1);
      }
      assertThat(OpenFiles.in(folder)).isBetween(1L, 3L);
    }
  }

  private FileLog open(String name, String value) throws Exception {
    BusFolder.init(folder, folder, Map.of());
    return BusFolder.find(folder, folder, Map.of(name, value)).openLog();
  }
}
