package dev.parley.orchestration.ask.call;

import dev.parley.coordination.fold.Fields;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long a server wants its clients to wait before they try again.
 *
 * <pre>
 * retry-after-ms: 1500                       OpenAI
 * retry-after: 2                             seconds
 * retry-after: Wed, 18 Nov 2026 10:00:00 GMT
 * {"error":{"details":[{"retryDelay":"34s"}]}}   Gemini
 * </pre>
 */
final class RetryDelay {
  private static final Pattern SECONDS = Pattern.compile("([0-9]{1,9}([.][0-9]{1,9})?)s?");
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,12}");

  private RetryDelay() {}

  /** The server's delay; if it names none, the given one. */
  static Duration of(HttpHeaders headers, Fields body, Duration otherwise) {
    String millis = headers.firstValue("retry-after-ms").orElse("");
    if (MILLIS.matcher(millis).matches()) {
      return Duration.ofMillis(Long.parseLong(millis));
    }
    Duration delay = seconds(headers.firstValue("retry-after").orElse(""));
    if (delay == null) {
      delay = until(headers.firstValue("retry-after").orElse(""));
    }
    for (Fields detail : body.object("error").objects("details")) {
      delay = delay != null ? delay : seconds(detail.text("retryDelay", ""));
    }
    return delay != null ? delay : otherwise;
  }

  private static @Nullable Duration seconds(String text) {
    Matcher seconds = SECONDS.matcher(text.strip());
    return seconds.matches()
        ? Duration.ofMillis(Math.round(1000 * Double.parseDouble(seconds.group(1))))
        : null;
  }

  private static @Nullable Duration until(String date) {
    try {
      Instant then =
          ZonedDateTime.parse(
                  date.strip(), DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
              .toInstant();
      Duration left = Duration.between(Instant.now(), then);
      return left.isNegative() ? Duration.ZERO : left;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
