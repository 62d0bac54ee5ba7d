package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Topic;
import java.io.IOException;
import java.util.List;

/** A {@link ReaderMain} process, as its proof sees it. */
final class Follower extends Child {
  private static int count;

  private Follower(ProofFolder home, String name, List<String> command) throws IOException {
    super(home, name, command);
  }

  static Follower start(ProofFolder home, Topic topic, int lineLimit) throws IOException {
    List<String> arguments =
        List.of(home.path().toString(), topic.name(), Integer.toString(lineLimit));
    return new Follower(home, "reader" + ++count, java(ReaderMain.class, arguments));
  }

  /** Lets it read to the end; what it saw meanwhile is what a fresh reader sees now. */
  void agreesWith(Reading reading) throws IOException, InterruptedException {
    finish();
    assertThat(lines()).containsExactly(reading.summary());
  }
}
