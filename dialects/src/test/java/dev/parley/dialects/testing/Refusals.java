package dev.parley.dialects.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.ParleyException;
import dev.parley.text.Explanation;
import java.util.function.Consumer;

/** What a refusal says in words. */
public final class Refusals {
  private Refusals() {}

  public static Consumer<Throwable> holds(String holder, String path) {
    return error ->
        assertThat(Explanation.of((ParleyException) error).message())
            .contains(holder + " holds " + path);
  }
}
