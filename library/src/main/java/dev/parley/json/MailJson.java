package dev.parley.json;

import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of messages for their sender, right after sending and later. {@code ReceivedMail} has
 * its own JSON.
 */
public final class MailJson {
  private MailJson() {}

  /**
   * The state of a message right after it was sent.
   *
   * @param answered the id of the message it answers; null if it answers none
   */
  public static Json of(SendResult result, @Nullable String answered) {
    SendResult.Copy first = result.first();
    List<String> to = result.copies().stream().map(SendResult.Copy::to).toList();
    Json.ObjectBuilder json =
        Json.object()
            .put("state", state(first))
            .put("id", first.id())
            .put("position", first.position().value())
            .put("to", Json.ofStrings(to));
    if (answered != null) {
      json.put("answered", answered);
    }
    if (first.repeated()) {
      json.put("repeated", true);
    }
    if (to.size() > 1 || first.warning() != null) {
      json.put("copies", Json.of(result.copies().stream().map(MailJson::copy).toList()));
    }
    return json.build();
  }

  private static Json copy(SendResult.Copy copy) {
    return Json.object()
        .put("to", copy.to())
        .put("state", state(copy))
        .put("id", copy.id())
        .put("position", copy.position().value())
        .put("warning", copy.warning())
        .build();
  }

  /** The state of one copy in a word. */
  public static String state(SendResult.Copy copy) {
    return copy.state() == null ? "ended" : copy.state().word();
  }

  /** A copy of a sent message, with its delivery steps. */
  public static Json of(SentMail letter) {
    Instant at = letter.sent().at();
    Json.ObjectBuilder json =
        Json.object()
            .put("id", letter.copy().id())
            .put("timestamp", at == null ? null : Timestamps.format(at))
            .put("to", Json.ofStrings(List.of(letter.copy().to())))
            .put("type", letter.sent().type())
            .put("subject", letter.sent().subject())
            .put("thread", letter.sent().thread())
            .put("needsReply", letter.sent().needsReply())
            .put("state", letter.state())
            .put("warning", letter.warning());
    if (letter.entry() != null) {
      json.put(
          "trail", Json.of(letter.entry().trail().stream().map(DeliveryStep::toJson).toList()));
    }
    return json.build();
  }
}
