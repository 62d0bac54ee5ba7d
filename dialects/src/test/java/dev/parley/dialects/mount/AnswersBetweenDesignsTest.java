package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.bus.Bus;
import dev.parley.dialects.testing.HandWritingAgent;
import dev.parley.dialects.testing.TestAgent;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A worker of one design answers an agent of another, neither knowing anything but its files. */
class AnswersBetweenDesignsTest {
  private static final List<String> DESIGNS =
      List.of("markdown", "swarm", "conclave", "conductor", "gear");

  /** How an agent that writes by hand comes to be; a new design is a new line. */
  private static final Map<String, BiFunction<Mounts, Path, HandWritingAgent>> BY_HAND =
      Map.of(
          "markdown", HandWritingAgent.Journal::new,
          "swarm", HandWritingAgent.Swarm::new,
          "conclave", HandWritingAgent.Conclave::new,
          "conductor", HandWritingAgent.Conductor::new,
          "gear", HandWritingAgent.Gear::new);

  @TempDir Path folder;

  static Stream<Arguments> pairs() {
    return DESIGNS.stream()
        .flatMap(asker -> DESIGNS.stream().map(answerer -> Arguments.of(asker, answerer)));
  }

  @ParameterizedTest(name = "{0} asks {1}")
  @MethodSource("pairs")
  void aQuestionIsAnsweredAndTheAnswerIsTiedToIt(String asks, String answers) throws Exception {
    BusFolder place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    try (Bus bus = place.open(Reporter.TO_LOG);
        Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      TestAgent asker = TestAgent.of(asks, "asker", folder, mounts, bus);
      TestAgent answerer = TestAgent.of(answers, "answerer", folder, mounts, bus);
      asker.appear();
      answerer.appear();
      mounts.sync();

      asker.ask(answerer.agent(), "Which port?");
      mounts.sync();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> answerer.answer("Which port?", "Port 8080."));
      mounts.sync();

      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(asker.hasAnswer("Port 8080.")).isTrue());
    }
  }

  static Stream<Arguments> handwritten() {
    return BY_HAND.keySet().stream()
        .sorted()
        .flatMap(asker ->
            BY_HAND.keySet().stream().sorted().map(answerer -> Arguments.of(asker, answerer)));
  }

  /** By hand, with what the designs let agents leave out: no ends, no recipients, no priorities. */
  @ParameterizedTest(name = "{0} asks {1}, as agents write")
  @MethodSource("handwritten")
  void whatAgentsWriteByHandIsAskedAndAnsweredOnce(String asks, String answers) throws Exception {
    BusFolder place = BusFolder.init(folder.resolve(".parley"), folder, Map.of()).folder();
    try (Mounts mounts = new Mounts(place, Reporter.TO_LOG, remark -> {})) {
      HandWritingAgent asker = make(asks, mounts, "asker-" + asks);
      HandWritingAgent answerer = make(answers, mounts, "answerer-" + answers);
      answerer.appear();
      mounts.sync();
      boolean byName = asker.isMailOnly() || answerer.isMailOnly();

      asker.ask(byName ? answerer.agent() : null, "Which port?");
      mounts.sync();
      assertThat(answerer.answer("Which port?", "Port 8080.")).isTrue();
      mounts.sync();
      mounts.sync();

      assertThat(asker.sees("Port 8080.")).isTrue();
    }

    assertThat(count(place, "Which port?")).isEqualTo(1);
    assertThat(count(place, "Port 8080.")).isEqualTo(1);
  }

  private HandWritingAgent make(String design, Mounts mounts, String name) {
    return Objects.requireNonNull(BY_HAND.get(design)).apply(mounts, folder.resolve(name));
  }

  /** How many messages of the bus say something. */
  private static long count(BusFolder place, String text) {
    try (FileLog log = place.openLog()) {
      long[] found = {0};
      for (Topic topic : log.topics(Prefix.ALL)) {
        boolean carries =
            topic.name().startsWith("mail.")
                || topic.name().startsWith(HandWritingAgent.SHARED.name());
        if (carries) {
          WholeTopic.forEach(
              log,
              topic,
              envelope -> found[0] += envelope.payload().toString().contains(text) ? 1 : 0);
        }
      }
      return found[0];
    }
  }
}
