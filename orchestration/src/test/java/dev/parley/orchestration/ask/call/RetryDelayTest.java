package dev.parley.orchestration.ask.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetryDelayTest {
  @Test
  void aServersDelayIsReadInEveryFormThatProvidersUse() {
    Duration other = Duration.ofMillis(77);
    assertThat(delay(other, "", "retry-after", "2")).isEqualTo(Duration.ofSeconds(2));
    assertThat(delay(other, "", "retry-after-ms", "1500", "retry-after", "9"))
        .isEqualTo(Duration.ofMillis(1500));
    assertThat(
            delay(
                other,
                "",
                "retry-after",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(30))))
        .isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
    assertThat(delay(other, "", "retry-after", "Wed, 18 Nov 1998 10:00:00 GMT"))
        .isEqualTo(Duration.ZERO);
    assertThat(
            delay(
                other, "{\"error\":{\"details\":[{\"@type\":\"x\"},{\"retryDelay\":\"34.5s\"}]}}"))
        .isEqualTo(Duration.ofMillis(34_500));
    for (String bad : List.of("-5", "soon", "NaN", "1e9", "")) {
      assertThat(delay(other, "{\"error\":\"x\"}", "retry-after", bad)).as(bad).isEqualTo(other);
    }
  }

  private static Duration delay(Duration otherwise, String body, String... headers) {
    Map<String, List<String>> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], List.of(headers[i + 1]));
    }
    return RetryDelay.of(
        HttpHeaders.of(all, (name, value) -> true),
        Fields.of(body.isEmpty() ? null : Json.parse(body)),
        otherwise);
  }
}
