package dev.parley.filelog.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Topic;
import java.io.IOException;
import java.util.List;

/** A {@link ReaderMain} process, seen from the test. */
public final class ReaderProcess extends TestProcess {
  private static int count;

  private ReaderProcess(TestFolder home, String name, List<String> command) throws IOException {
    super(home, name, command);
  }

  public static ReaderProcess start(TestFolder home, Topic topic, int lineLimit)
      throws IOException {
    List<String> arguments =
        List.of(home.path().toString(), topic.name(), Integer.toString(lineLimit));
    return new ReaderProcess(home, "reader" + ++count, java(ReaderMain.class, arguments));
  }

  /** Lets it read to the end, and checks that it saw what a new reader sees now. */
  public void agreesWith(ReaderFindings reading) throws IOException, InterruptedException {
    finish();
    assertThat(lines()).containsExactly(reading.summary());
  }
}
