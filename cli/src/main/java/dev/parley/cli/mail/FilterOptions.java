package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Option;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.mailbox.MailContent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The options that select messages, the same for all commands. */
final class FilterOptions {
  private static final Option FROM =
      Option.value("--from", "agent", "only from this agent; repeatable").repeated();
  private static final Option TYPE =
      Option.value("--type", "type", "only this type; repeatable").repeated();
  private static final Option THREAD = Option.value("--thread", "id", "only this thread");
  private static final Option MIN_PRIORITY =
      Option.value("--min-priority", "priority", "only this priority or higher")
          .choices("low", "normal", "high", "critical");
  private static final Option COMPLETION =
      Option.flag("--completion", "only status messages that report completion");
  private static final Option CONTAINS =
      Option.value("--contains", "text", "only messages with this in subject or body");

  private static final Option TO =
      Option.value("--to", "agent", "only to this agent; repeatable").repeated();

  private FilterOptions() {}

  /** These options, followed by a command's own. */
  static List<Option> and(List<Option> own) {
    List<Option> all =
        new ArrayList<>(List.of(FROM, TYPE, THREAD, MIN_PRIORITY, COMPLETION, CONTAINS));
    all.addAll(own);
    return all;
  }

  /** The options for sent messages, followed by a command's own. */
  static List<Option> ofSent(List<Option> own) {
    List<Option> all = new ArrayList<>(List.of(TO, TYPE, THREAD, CONTAINS));
    all.addAll(own);
    return all;
  }

  static Predicate<SentMail> sent(Arguments arguments, Mail mail) {
    List<String> to = arguments.values(TO);
    List<String> types = arguments.values(TYPE);
    String thread = arguments.value(THREAD);
    String contains = arguments.value(CONTAINS, "");
    return letter ->
        (to.isEmpty() || to.contains(letter.copy().to()))
            && (types.isEmpty() || types.contains(letter.sent().type()))
            && (thread == null || thread.equals(letter.sent().thread()))
            && (letter.sent().subject().contains(contains) || says(mail.content(letter), contains));
  }

  static MailFilter filter(Arguments arguments) {
    String contains = arguments.value(CONTAINS);
    MailFilter filter =
        MailFilter.ANY
            .from(arguments.values(FROM))
            .types(arguments.values(TYPE))
            .thread(arguments.value(THREAD))
            .least(Priority.named(arguments.value(MIN_PRIORITY, "low")))
            .completion(arguments.has(COMPLETION));
    return contains == null ? filter : filter.also(letter -> says(letter.content(), contains));
  }

  private static boolean says(@Nullable MailContent content, String text) {
    return content != null && (content.subject().contains(text) || content.body().contains(text));
  }
}
