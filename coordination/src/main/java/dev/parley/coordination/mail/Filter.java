package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.core.Position;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which messages somebody wants: all that fulfil everything that is said.
 *
 * @param from senders; empty for any
 * @param types types; empty for any
 * @param completion only messages that say that something is complete
 */
public record Filter(
    List<String> from,
    List<String> types,
    @Nullable String thread,
    @Nullable String replyTo,
    Priority least,
    boolean unread,
    boolean completion,
    Position since,
    Predicate<Letter> also) {
  public static final Filter ANY =
      new Filter(
          List.of(),
          List.of(),
          null,
          null,
          Priority.LOW,
          false,
          false,
          Position.START,
          letter -> true);

  public Filter from(List<String> agents) {
    return new Filter(agents, types, thread, replyTo, least, unread, completion, since, also);
  }

  public Filter types(List<String> names) {
    return new Filter(from, names, thread, replyTo, least, unread, completion, since, also);
  }

  public Filter thread(@Nullable String name) {
    return new Filter(from, types, name, replyTo, least, unread, completion, since, also);
  }

  /** Only answers to the message of this id. */
  public Filter replyTo(@Nullable String id) {
    return new Filter(from, types, thread, id, least, unread, completion, since, also);
  }

  public Filter least(Priority priority) {
    return new Filter(from, types, thread, replyTo, priority, unread, completion, since, also);
  }

  /** Only what the reader has not seen. */
  public Filter unread(boolean only) {
    return new Filter(from, types, thread, replyTo, least, only, completion, since, also);
  }

  public Filter completion(boolean only) {
    return new Filter(from, types, thread, replyTo, least, unread, only, since, also);
  }

  /** Only what came after this position of the mailbox's topic. */
  public Filter since(Position position) {
    return new Filter(from, types, thread, replyTo, least, unread, completion, position, also);
  }

  public Filter also(Predicate<Letter> condition) {
    return new Filter(from, types, thread, replyTo, least, unread, completion, since, condition);
  }

  /** What can be told without reading what a message says. */
  boolean wants(Entry entry) {
    return (from.isEmpty() || from.contains(entry.from()))
        && (types.isEmpty() || types.contains(entry.type()))
        && (thread == null || thread.equals(entry.thread()))
        && (replyTo == null || replyTo.equals(entry.replyTo()))
        && entry.priority().compareTo(least) >= 0
        && !(unread && entry.has(State.SEEN))
        && entry.position().compareTo(since) > 0
        && entry.state() != State.HELD;
  }

  /** All of it, for letters that were read already. */
  public boolean takes(Letter letter) {
    return wants(letter.entry()) && wants(letter);
  }

  boolean wants(Letter letter) {
    return (!completion || isCompletion(letter)) && also.test(letter);
  }

  private static boolean isCompletion(Letter letter) {
    return letter.entry().type().equals("status")
        && Fields.of(letter.content().metadata()).text("status", "").equals("complete");
  }
}
