package dev.parley.orchestration.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.orchestration.git.TestRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents are shown of a change. */
class ReviewSubjectTest {
  @TempDir private Path folder;
  private TestRepository repository;
  private String base;

  @BeforeEach
  void begin() throws Exception {
    repository = TestRepository.create(folder.resolve("repository"));
    base = repository.commit("a.txt", "one\n");
  }

  private String subject(String head, int mostDiff) {
    return ReviewSubject.text(repository.git(), base, head, "It is renamed.", null, mostDiff);
  }

  @Test
  void filesBeyondTheLimitOfADiffAreNamedWithTheirLength() throws Exception {
    repository.write("huge.txt", "line\n".repeat(3_000));
    String head = repository.commit("a.txt", "two\n");

    String subject = subject(head, 5_000);

    assertThat(subject)
        .contains("+two", "because the diff is longer than 5000 characters")
        .containsPattern("a/huge.txt b/huge.txt \\(30\\d\\d lines\\)")
        .contains("huge.txt | 3000 +++")
        .doesNotContain("+line");
    assertThat(subject(head, ReviewSubject.MOST_DIFF))
        .contains("+line")
        .doesNotContain("Not shown");
  }

  @Test
  void ofVeryManyFilesTheRestIsCounted() throws Exception {
    for (int i = 0; i < 450; i++) {
      repository.write("f" + i, i + " line\n");
    }
    String head = repository.commit("a.txt", "two\n");

    assertThat(subject(head, 1)).containsPattern("\nand 51 more files").hasSizeLessThan(100_000);
  }

  @Test
  void commitsSpeakForAChangeWithoutADescription() throws Exception {
    var _ = repository.commit("b.txt", "two\n");
    String head = repository.commit("c.txt", "three\n");

    assertThat(ReviewSubject.commits(repository.git(), base, head).lines()).hasSize(2);
  }

  @Test
  void aBinaryFileIsNamedOnly() throws Exception {
    Files.write(repository.folder().resolve("logo.png"), new byte[] {0, 1, 2, 0, 27});
    String head = repository.commit("a.txt", "two\n");

    assertThat(subject(head, ReviewSubject.MOST_DIFF))
        .contains("Binary files /dev/null and b/logo.png differ")
        .doesNotContain("\u001b");
  }

  @Test
  void anEmptyChangeIsRefused() {
    assertThatThrownBy(() -> subject(base, ReviewSubject.MOST_DIFF))
        .hasMessageContaining("There is nothing to review");
  }
}
