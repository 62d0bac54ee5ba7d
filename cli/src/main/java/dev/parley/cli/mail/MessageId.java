package dev.parley.cli.mail;

import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.ParleyException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Ids of messages as people type them: the beginning is enough when it is that of one message. */
final class MessageId {
  private MessageId() {}

  /** The messages of one's own inbox, or those that ended lately. */
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

  /** A message that was sent. */
  static String sent(Mail mail, String typed) {
    Set<String> ids = new LinkedHashSet<>();
    mail.sent().forEach(sent -> ids.add(sent.copy().id()));
    return onlyOne(typed, ids);
  }

  /** What was typed stays as it is if nothing begins like it: whoever looks for it says so. */
  static String onlyOne(String typed, Collection<String> ids) {
    if (ids.contains(typed)) {
      return typed;
    }
    List<String> found = ids.stream().filter(id -> id.startsWith(typed)).toList();
    if (found.size() > 1) {
      throw ParleyException.invalid(
          "ambiguous-id",
          found.size() + " messages have ids that begin with " + typed + ".",
          "Write more of it: " + String.join(", ", found.subList(0, Math.min(3, found.size()))));
    }
    return found.isEmpty() ? typed : found.getFirst();
  }

  static ParleyException notFound(String id) {
    return ParleyException.refused(
        "no-such-message", "There is no message " + id + ".", "parley inbox lists what is there.");
  }
}
