package dev.parley.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  @Test
  void afterARestThereAreTwoSecondsWorthAtOnceAndThenOneASecond() {
    AtomicLong time = new AtomicLong();
    RateLimit limit = new RateLimit(3, time::get);
    for (int i = 0; i < 6; i++) {
      assertThat(limit.take("alice")).isTrue();
    }
    assertThat(limit.take("alice")).isFalse();
    assertThat(limit.take("bob")).as("another agent has a limit of its own").isTrue();
    time.addAndGet(1_000_000_000L);
    for (int i = 0; i < 3; i++) {
      assertThat(limit.take("alice")).isTrue();
    }
    assertThat(limit.take("alice")).isFalse();
  }
}
