package dev.parley.core.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WriterKeyTest {
  private static final WriterKey KEY = key("a secret");

  private static WriterKey key(String secret) {
    return WriterKey.of(secret.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void itsOwnIdsAreRecognisedAndNoOthers() {
    Set<WriterId> made = new HashSet<>();
    WriterKey other = key("another secret");
    for (int i = 0; i < 10_000; i++) {
      WriterId own = KEY.next();
      assertThat(made.add(own)).isTrue();
      assertThat(KEY.made(own)).isTrue();
      assertThat(key("a secret").made(own)).isTrue();
      assertThat(WriterId.in(own.id(1))).isEqualTo(own);
      assertThat(other.made(own)).isFalse();
      assertThat(KEY.made(WriterId.random())).isFalse();
    }
  }
}
