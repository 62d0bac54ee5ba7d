package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Bus;
import dev.parley.core.Reporter;
import dev.parley.filelog.BusFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
      Party asker = Party.of(asks, "asker", folder, mounts, bus);
      Party answerer = Party.of(answers, "answerer", folder, mounts, bus);
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
}
