package dev.parley.dialects.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.testing.Through;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One test for each row of the table on {@link MirrorState}. */
class MirrorStateTest {
  private final MirrorState state = MirrorState.of("m").begin();

  private void note(String payload) {
    note(Message.of("parley", MirrorTypes.SYNCED, Json.parse(payload)));
  }

  private void note(Message message) {
    Envelope envelope = Through.log(message);
    state.apply(envelope, Position.START);
    // A view says the same.
    assertThat(MirrorState.of("m").load(state.save()).save()).isEqualTo(state.save());
  }

  @Test
  void theLastWordOnAFileAndOnATopicCounts() {
    assertThat(state.place("a")).isEqualTo(MirrorState.FilePlace.START);
    note("{\"files\":{\"a\":{\"offset\":7,\"proof\":\"x\"}},\"topics\":{\"t\":3}}");
    note("{\"files\":{\"a\":{\"offset\":9,\"proof\":\"y\"}},\"topics\":{\"t\":5}}");

    assertThat(state.place("a")).isEqualTo(new MirrorState.FilePlace(9, "y"));
    assertThat(state.pushedTo(new Topic("t"))).isEqualTo(new Position(5));
    assertThat(state.pushedTo(new Topic("other"))).isEqualTo(Position.START);
  }

  @Test
  void residentsOfTheFilesAreKept() {
    note("{\"residents\":[\"a\"]}");
    note("{\"residents\":[\"b\",\"a\"]}");

    assertThat(state.residents()).containsExactly("a", "b");
  }

  @Test
  void whatWentThroughIsKnownForAnswersBothWays() {
    note(
        "{\"pulled\":[{\"id\":\"f1\",\"envelope\":\"e1\",\"sender\":\"s\",\"thread\":null}],"
            + "\"pushed\":[{\"id\":\"f2\",\"envelope\":\"e2\",\"sender\":\"s\",\"thread\":\"t\"}]}");

    assertThat(state.foreignIdOf("e1")).isEqualTo("f1");
    assertThat(state.foreignIdOf("e2")).isEqualTo("f2");
    assertThat(state.foreignIdOf("e3")).isNull();
    assertThat(state.isPushed("f2")).isTrue();
    assertThat(state.isPushed("f1")).isFalse();
    assertThat(state.pushedAs("f2").envelope()).isEqualTo("e2");
    assertThat(state.pushedIn("t").foreign()).isEqualTo("f2");
    assertThat(state.pushedIn("u")).isNull();
  }

  @Test
  void onlyTheLastOfThemAreRemembered() {
    note(
        IntStream.rangeClosed(0, MirrorState.REMEMBERED)
            .mapToObj(i -> "{\"id\":\"f%s\",\"envelope\":\"e\",\"sender\":\"s\"}".formatted(i))
            .collect(Collectors.joining(",", "{\"pushed\":[", "]}")));

    assertThat(state.isPushed("f0")).isFalse();
    assertThat(state.isPushed("f1")).isTrue();
    assertThat(state.isPushed("f" + MirrorState.REMEMBERED)).isTrue();
  }

  @Test
  void entriesAreTakenUntilTheyAreDroppedAndWaitUntilTheyAreGone() {
    note(
        "{\"taken\":[\"a\",\"b\"],\"waiting\":[{\"id\":\"x\",\"agent\":\"w\",\"envelope\":\"e\"},"
            + "{\"id\":\"x\",\"agent\":\"v\",\"envelope\":\"e\"}]}");
    note("{\"dropped\":[\"a\"],\"gone\":[{\"id\":\"x\",\"agent\":\"w\",\"envelope\":\"e\"}]}");

    assertThat(state.taken()).containsExactly("b");
    assertThat(state.waiting()).containsExactly(new MirrorState.Waiting("x", "v", "e"));
  }

  @Test
  void whatWasToldLastIsKnownUntilThereIsNothingToTell() {
    note("{\"told\":{\"lock:a\":\"1\",\"lock:b\":\"2\",\"task:a\":\"3\"}}");
    note("{\"told\":{\"lock:a\":\"4\",\"lock:b\":null}}");

    assertThat(state.told("lock:a")).isEqualTo("4");
    assertThat(state.told("lock:b")).isNull();
    assertThat(state.toldOf("lock:")).containsOnlyKeys("a").containsEntry("a", "4");
  }

  @Test
  void whatWasAnnouncedIsOpenUntilItIsSettled() {
    note("{\"announced\":[{\"by\":\"x.tmp\",\"ids\":[\"1\",\"2\"]},{\"by\":\"y\",\"ids\":[]}]}");
    note("{\"settled\":[\"y\"]}");

    assertThat(state.announced()).containsOnlyKeys("x.tmp");
    assertThat(state.announced().get("x.tmp")).isEqualTo(List.of("1", "2"));
  }

  @Test
  void otherEnvelopesSayNothing() {
    note(Message.of("parley", "note", Json.parse("{\"residents\":[\"a\"]}")));
    note("\"rubbish\"");

    assertThat(state.residents()).isEmpty();
  }
}
