package dev.parley.cli.mail;

import dev.parley.cli.command.UniquePrefix;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.ParleyException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Abbreviated message ids: a prefix is enough if it fits only one message. */
final class MessageId {
  private static final int SHORTEST = 3;

  private MessageId() {}

  /** Messages of the caller's inbox, or those that ended recently. */
  static List<String> received(Mail mail, List<String> typed) {
    return typed.stream().map(text -> received(mail, text)).toList();
  }

  static String received(Mail mail, String typed) {
    if (mail.find(typed) != null) {
      return typed;
    }
    Set<String> ids = new LinkedHashSet<>();
    for (ReceivedMail letter : mail.inbox(MailFilter.ANY)) {
      ids.add(letter.entry().id());
    }
    for (ReceivedMail letter : mail.held()) {
      ids.add(letter.entry().id());
    }
    return onlyOne(typed, ids);
  }

  /** A received or sent message. */
  static String any(Mail mail, String typed) {
    String received = received(mail, typed);
    return received.equals(typed) ? sent(mail, typed) : received;
  }

  /** A sent message. */
  static String sent(Mail mail, String typed) {
    Set<String> ids = new LinkedHashSet<>();
    mail.sent().forEach(sent -> ids.add(sent.copy().id()));
    return onlyOne(typed, ids);
  }

  /** A very short prefix is more likely a slip than an id, and it would end a message. */
  static String onlyOne(String typed, Collection<String> ids) {
    if (typed.length() < SHORTEST && !ids.contains(typed)) {
      throw ParleyException.invalid(
          "short-id",
          "\"" + typed + "\" is too short for a message id.",
          "Type at least " + SHORTEST + " characters of it. List your messages: parley inbox");
    }
    return UniquePrefix.of("messages", typed, ids);
  }

  static ParleyException notFound(String id) {
    return ParleyException.refused(
        "no-such-message", "There is no message " + id + ".", "List your messages: parley inbox");
  }
}
