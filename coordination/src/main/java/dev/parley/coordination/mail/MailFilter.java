package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.Position;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects messages: a message must meet every condition that is set.
 *
 * @param from senders; empty for any
 * @param types types; empty for any
 * @param completion only messages that say that something is complete
 */
public record MailFilter(
    List<String> from,
    List<String> types,
    @Nullable String thread,
    @Nullable String replyTo,
    Priority least,
    boolean unread,
    boolean completion,
    Position since,
    Predicate<ReceivedMail> also) {
  public static final MailFilter ANY =
      new MailFilter(
          List.of(),
          List.of(),
          null,
          null,
          Priority.LOW,
          false,
          false,
          Position.START,
          letter -> true);

  public MailFilter from(List<String> agents) {
    return new MailFilter(agents, types, thread, replyTo, least, unread, completion, since, also);
  }

  public MailFilter types(List<String> names) {
    return new MailFilter(from, names, thread, replyTo, least, unread, completion, since, also);
  }

  public MailFilter thread(@Nullable String name) {
    return new MailFilter(from, types, name, replyTo, least, unread, completion, since, also);
  }

  /** Only answers to the message of this id. */
  public MailFilter replyTo(@Nullable String id) {
    return new MailFilter(from, types, thread, id, least, unread, completion, since, also);
  }

  public MailFilter least(Priority priority) {
    return new MailFilter(from, types, thread, replyTo, priority, unread, completion, since, also);
  }

  /** Only messages that the reader has not seen. */
  public MailFilter unread(boolean only) {
    return new MailFilter(from, types, thread, replyTo, least, only, completion, since, also);
  }

  public MailFilter completion(boolean only) {
    return new MailFilter(from, types, thread, replyTo, least, unread, only, since, also);
  }

  /** Only messages after this position of the mailbox's topic. */
  public MailFilter since(Position position) {
    return new MailFilter(from, types, thread, replyTo, least, unread, completion, position, also);
  }

  public MailFilter also(Predicate<ReceivedMail> condition) {
    return new MailFilter(
        from, types, thread, replyTo, least, unread, completion, since, condition);
  }

  /** Checks the conditions that need no content. */
  boolean wants(MailboxEntry entry) {
    return (from.isEmpty() || from.contains(entry.from()))
        && (types.isEmpty() || types.contains(entry.type()))
        && (thread == null || thread.equals(entry.thread()))
        && (replyTo == null || replyTo.equals(entry.replyTo()))
        && entry.priority().compareTo(least) >= 0
        && !(unread && entry.has(DeliveryState.SEEN))
        && entry.position().compareTo(since) > 0
        && entry.state() != DeliveryState.HELD;
  }

  /** Checks all conditions, for messages whose content was read. */
  public boolean takes(ReceivedMail letter) {
    return wants(letter.entry()) && wants(letter);
  }

  boolean wants(ReceivedMail letter) {
    return (!completion || isCompletion(letter)) && also.test(letter);
  }

  private static boolean isCompletion(ReceivedMail letter) {
    return letter.entry().type().equals("status")
        && Fields.of(letter.content().metadata()).text("status", "").equals("complete");
  }
}
