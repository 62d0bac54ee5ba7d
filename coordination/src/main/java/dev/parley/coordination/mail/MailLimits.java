package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;

/**
 * The limits of one mailbox, set by an envelope in its topic so that everyone agrees on them.
 *
 * @param messages how many messages may be in the inbox ({@code messages})
 * @param chain how many automatic messages and empty acknowledgements may follow each other in a
 *     thread ({@code chain})
 * @param keys how many idempotency keys are remembered ({@code keys})
 * @param deadAfter how long a message waits for a recipient who is not there ({@code deadAfter})
 */
public record MailLimits(int messages, int chain, int keys, Duration deadAfter) {
  public static final MailLimits DEFAULT = new MailLimits(1000, 4, 1024, Duration.ofHours(24));

  private static final int MOST = 1_000_000;

  public MailLimits {
    check("messages", messages, MOST);
    check("chain", chain, MOST);
    check("keys", keys, MOST);
    check("deadAfter", deadAfter.toSeconds(), Duration.ofDays(3650).toSeconds());
  }

  private static void check(String name, long value, long most) {
    if (value < 1 || value > most) {
      throw ParleyException.invalid(
          "bad-limit", "The limit " + name + " can't be " + value + ".", "Use 1 to " + most + ".");
    }
  }

  public Json toJson() {
    return Json.object()
        .put("messages", messages)
        .put("chain", chain)
        .put("keys", keys)
        .put("deadAfter", deadAfter.toSeconds())
        .build();
  }

  /**
   * These limits with those that the fields name. If one of them is out of range all stay as they
   * are: half of what somebody wanted may be worse than nothing of it. What is no number is not
   * there.
   */
  MailLimits with(Fields fields) {
    try {
      return new MailLimits(
          Math.toIntExact(fields.number("messages", messages)),
          Math.toIntExact(fields.number("chain", chain)),
          Math.toIntExact(fields.number("keys", keys)),
          Duration.ofSeconds(fields.number("deadAfter", deadAfter.toSeconds())));
    } catch (ParleyException | ArithmeticException e) {
      return this;
    }
  }
}
