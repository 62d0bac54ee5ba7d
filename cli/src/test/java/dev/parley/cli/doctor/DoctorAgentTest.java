package dev.parley.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorAgentTest {
  @TempDir private Path folder;

  @Test
  void everyLinkThatDoesNotWorkIsNamedWithTheNextStep() {
    Trial trial = new Trial(folder);
    assertThat(trial.run("init").exitCode()).isZero();
    assertThat(trial.run("join", "--as", "bob").exitCode()).isZero();

    Answer answer = trial.run("doctor", "--agent", "bob", "--wake");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.lines()).hasSize(5);
    assertThat(answer.out())
        .contains("bob has joined", "Next: parley setup", "Next: parley guard install")
        .contains("bob can't be woken");
  }
}
