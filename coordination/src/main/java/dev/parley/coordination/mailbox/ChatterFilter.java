package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.text.UnicodeLetters;
import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds conversations between machines: runs of automatic messages, or of messages that say nothing
 * but "got it", in one thread.
 */
final class ChatterFilter {
  private static final Set<String> EMPTY =
      Set.of(
          "",
          "ok",
          "okay",
          "k",
          "ack",
          "acknowledged",
          "acked",
          "got it",
          "noted",
          "received",
          "roger",
          "understood",
          "thanks",
          "thank you",
          "thx",
          "sounds good",
          "great",
          "perfect",
          "nice",
          "cool",
          "will do",
          "agreed",
          "likewise",
          "same here",
          "you are welcome",
          "youre welcome",
          "no problem",
          "thanks for the update",
          "thanks for confirming");

  /** The length of the present run in each thread, for the threads seen last. */
  private final LinkedHashMap<String, Integer> chains = new LinkedHashMap<>(16, 0.75f, true);

  /** Notes a message; returns why it must be held, or null. */
  @Nullable String see(MailboxEntry entry, Envelope envelope, MailLimits limits) {
    if (!envelope.isNative()) {
      return null;
    }
    if (!entry.automatic() && !isEmptyAcknowledgement(envelope)) {
      chains.remove(entry.thread());
      return null;
    }
    int length = chains.merge(entry.thread(), 1, Integer::sum);
    int limit = limits.get(MailLimit.CHAIN);
    while (chains.size() > limits.get(MailLimit.THREADS)) {
      chains.pollFirstEntry();
    }
    return length <= limit
        ? null
        : length
            + " automatic messages or empty acknowledgements in a row in this thread (at most "
            + limit
            + ")";
  }

  /** Ends the run of a thread, because an agent has looked at it and let it go on. */
  void reset(String thread) {
    chains.remove(thread);
  }

  static boolean isEmptyAcknowledgement(Envelope envelope) {
    if (envelope.replyTo() == null || envelope.needsReply()) {
      return false;
    }
    Fields content = Fields.of(envelope.payload());
    if (!content.items("artifacts").isEmpty() || content.json("metadata") != null) {
      return false;
    }
    return EMPTY.contains(words(content.text("body", "")));
  }

  /**
   * A short text without punctuation and in small letters, as far as ASCII goes; a longer one
   * unchanged.
   */
  static String words(String body) {
    if (body.length() > 60) {
      return body;
    }
    StringBuilder words = new StringBuilder(body.length());
    body.codePoints()
        .map(ChatterFilter::small)
        .filter(c -> c == ' ' || UnicodeLetters.isLetterOrNumber(c))
        .filter(c -> c != ' ' || (!words.isEmpty() && words.charAt(words.length() - 1) != ' '))
        .forEach(words::appendCodePoint);
    return words.toString().stripTrailing();
  }

  /** The small letter for a capital of ASCII; any other character unchanged. */
  private static int small(int c) {
    return switch (c) {
      case 0x130 -> 'i'; // with a dot
      case 0x212a -> 'k'; // the sign of kelvin
      default -> c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    };
  }

  Json save() {
    List<Json> items = new ArrayList<>();
    chains.forEach((thread, length) -> {
      items.add(Json.of(thread));
      items.add(Json.of(length));
    });
    return Json.of(items);
  }

  static ChatterFilter load(List<Json> saved) {
    ChatterFilter filter = new ChatterFilter();
    for (int i = 0; i + 1 < saved.size(); i += 2) {
      String thread = saved.get(i).text();
      if (thread != null) {
        filter.chains.put(thread, (int) saved.get(i + 1).number(0));
      }
    }
    return filter;
  }
}
