package dev.parley.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccessTest {
  private final Access access = new Access("a secret".getBytes(StandardCharsets.UTF_8));

  @Test
  void aTokenSpeaksForTheAgentItWasMadeFor() {
    assertThat(access.agent("Bearer " + access.token("alice"))).isEqualTo("alice");
    assertThat(access.agent("Bearer " + access.token("worker-1.1-x"))).isEqualTo("worker-1.1-x");
  }

  @Test
  void aTokenUnderAnotherNameOrSecretSpeaksForNobody() {
    String proof = access.token("alice").substring("alice:".length());
    Access other = new Access("another secret".getBytes(StandardCharsets.UTF_8));
    assertThat(access.agent("Bearer bob:" + proof)).isNull();
    assertThat(access.agent("Bearer " + other.token("alice"))).isNull();
    assertThat(access.agent(access.token("alice"))).isNull();
    assertThat(access.agent("Basic " + access.token("alice"))).isNull();
    assertThat(access.agent("Bearer ")).isNull();
    assertThat(access.agent("Bearer alice:")).isNull();
    assertThat(access.agent("Bearer ../x:" + proof)).isNull();
    assertThat(access.agent(null)).isNull();
  }

  @Test
  void noChangeOfACharacterGoesUnnoticed() {
    long seed = 26;
    Random random = new Random(seed);
    String token = access.token("alice");
    assertThat(access.agent("Bearer " + token)).isEqualTo("alice"); // from now on it is known
    for (int i = 0; i < 2_000; i++) {
      char[] changed = token.toCharArray();
      // The last character of a proof carries bits that nobody reads.
      int at = random.nextInt(token.length() - 1);
      changed[at] = (char) (' ' + random.nextInt(95));
      String mutant = new String(changed);
      if (!mutant.equals(token)) {
        assertThat(access.agent("Bearer " + mutant)).as("seed %d, %s", seed, mutant).isNull();
      }
    }
  }
}
