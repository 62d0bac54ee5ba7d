package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.json.Json;
import dev.parley.dialects.sync.MirrorTypes;
import dev.parley.dialects.testing.Through;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** One test for each row of the table on {@link MountTable}. */
class MountTableTest {
  private static final Mount FIRST =
      new Mount("x", Dialect.SWARM, Path.of("/a/.swarm"), Prefix.of("swarm"));
  private static final Mount SECOND =
      new Mount("x", Dialect.CONDUCTOR, Path.of("/b/.message-bus"), Prefix.of("conductor"));

  private final MountTable table = MountTable.KIND.begin();

  private void say(String type, Json payload) {
    table.apply(Through.log(Message.of("parley", type, payload)), Position.START);
    assertThat(MountTable.KIND.load(table.save()).save()).isEqualTo(table.save());
  }

  @Test
  void ofTwoOfOneNameTheFirstIsMounted() {
    say(MirrorTypes.ADDED, FIRST.toJson());
    say(MirrorTypes.ADDED, SECOND.toJson());

    assertThat(table.mounts()).containsExactly(FIRST);
    assertThat(table.named("x")).isEqualTo(FIRST);
    assertThat(table.named("y")).isNull();
  }

  @Test
  void aNameIsFreeAgainOnceItIsRemoved() {
    say(MirrorTypes.ADDED, FIRST.toJson());
    say(MirrorTypes.REMOVED, Json.parse("{\"name\":\"x\"}"));
    assertThat(table.isTaken("x")).isFalse();
    say(MirrorTypes.REMOVED, Json.parse("{\"name\":\"x\"}"));
    say(MirrorTypes.ADDED, SECOND.toJson());

    assertThat(table.mounts()).containsExactly(SECOND);
  }

  @Test
  void aDialectOfANewerProgramIsLeftAloneButHasItsName() {
    say(
        MirrorTypes.ADDED,
        Json.parse("{\"name\":\"n\",\"dialect\":\"newer\",\"path\":\"/n\",\"topic\":\"n\"}"));
    say("note", FIRST.toJson());

    assertThat(table.mounts()).isEmpty();
    assertThat(table.isTaken("n")).isTrue();
    assertThat(table.isTaken("x")).isFalse();
  }
}
