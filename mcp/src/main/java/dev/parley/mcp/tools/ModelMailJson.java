package dev.parley.mcp.tools;

import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.temporal.ChronoUnit;

/** Mail as JSON for a model: only the fields it needs, with long bodies cut. */
final class ModelMailJson {
  /** How many characters of a body a list shows. */
  static final int MOST_LISTED = 2_000;

  /** How many characters of a body one call returns. */
  static final int MOST_WHOLE = 20_000;

  private ModelMailJson() {}

  /** A message with the beginning of its body. */
  static Json of(ReceivedMail letter, int most) {
    return of(letter, 0, most);
  }

  /**
   * A message with a part of its body.
   *
   * @param after how many characters to skip
   */
  static Json of(ReceivedMail letter, long after, int most) {
    Json.ObjectBuilder json =
        Json.object()
            .put("id", letter.entry().id())
            .put("from", letter.entry().from())
            .put("type", letter.entry().type());
    if (!letter.content().subject().isEmpty()) {
      json.put("subject", cut(letter.content().subject(), most));
    }
    String body = letter.content().body();
    putCut(json, "body", body.substring(Math.clamp(after, 0, body.length())), most);
    if (letter.content().beside() != null) {
      json.put("more_bytes", letter.content().beside().size());
    }
    if (letter.entry().needsReply()) {
      json.put("needs_reply", true);
    }
    if (letter.entry().deadline() != null) {
      json.put(
          "deadline", Timestamps.format(letter.entry().deadline().truncatedTo(ChronoUnit.SECONDS)));
    }
    if (letter.entry().replyTo() != null) {
      json.put("reply_to", letter.entry().replyTo());
    }
    if (!letter.content().artifacts().isEmpty()) {
      json.put("files", Json.ofStrings(letter.content().artifacts()));
    }
    return json.build();
  }

  /** Whether a list shows only the beginning of it. */
  static boolean isLong(ReceivedMail letter) {
    return letter.content().body().length() > MOST_LISTED || letter.content().beside() != null;
  }

  /** Puts the beginning of a text, and how much is left out. */
  static void putCut(Json.ObjectBuilder json, String field, String text, int most) {
    String beginning = cut(text, most);
    json.put(field, beginning);
    if (beginning.length() < text.length()) {
      json.put("more_characters", text.length() - beginning.length());
    }
  }

  /** The beginning of a text, without splitting a surrogate pair. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }
}
