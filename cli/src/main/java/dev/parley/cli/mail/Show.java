package dev.parley.cli.mail;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.BodyPart;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.UniquePrefix;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Times;
import dev.parley.cli.wake.WakeCommand;
import dev.parley.cli.wake.WakeText;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.Wakes;
import dev.parley.coordination.work.BlindRedaction;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.filelog.FileLog;
import dev.parley.mcp.wake.Wakefulness;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows anything with an id. */
public final class Show implements Command {
  private static final Parameter ID = Parameter.required("id", "the id of an envelope");

  @Override
  public Description description() {
    return new Description(
        "show",
        Group.LOOK_BACK,
        "show a message and its delivery",
        "Shows the envelope with this id; a unique prefix is enough. For mail that you sent or"
            + " received it also shows when the message was stored, delivered, seen and done, each"
            + " with its position in the log. Other ids are searched for in all topics. Of a long text"
            + " the first 8 KB are shown.",
        List.of(ID),
        List.of(BodyPart.FULL, BodyPart.PART),
        List.of("parley show iuafxfgglvnuwm5w-1"));
  }

  @Override
  public int run(Invocation invocation) {
    String id = invocation.arguments().required(ID);
    CommandContext context = CommandContext.open(invocation);
    Session session = context.existingSession();
    Mail mail = session == null ? null : context.team().mail(session);
    ReceivedMail letter = mail == null ? null : letter(mail, MessageId.any(mail, id));
    Envelope envelope = letter != null ? letter.envelope() : anywhere(context.log(), id);
    Envelope shown = new BlindRedaction(context.team().ledger()).over(envelope);
    List<Wake> wakes =
        letter == null
            ? List.of()
            : context.team().lookAtWakes(recipient(letter)).all().stream()
                .filter(wake -> wake.mail().contains(envelope.id()))
                .toList();
    print(invocation, shown, letter, wakes);
    if (letter != null && !invocation.out().isJson()) {
      wakes(invocation.out(), context, letter, wakes);
    }
    return ExitCode.OK;
  }

  /** The envelope with an id in any topic, or the only one whose id has this prefix. */
  private static Envelope anywhere(FileLog log, String typed) {
    Envelope exact = log.find(typed).orElse(null);
    if (exact != null) {
      return exact;
    }
    Map<String, Envelope> found = new LinkedHashMap<>();
    for (Topic topic : log.topics(Prefix.ALL)) {
      WholeTopic.forEach(
          log,
          topic,
          envelope -> {
            if (envelope.id().startsWith(typed)) {
              found.putIfAbsent(envelope.id(), envelope);
            }
          });
    }
    Envelope only = found.get(UniquePrefix.of("envelopes", typed, found.keySet()));
    if (only == null) {
      throw ParleyException.refused(
          "no-such-envelope",
          "No envelope on this bus has the id " + typed + ".",
          "List the latest envelopes: parley tail");
    }
    return only;
  }

  private static @Nullable ReceivedMail letter(Mail mail, String id) {
    ReceivedMail received = mail.find(id);
    ReceivedMail letter = received != null ? received : mail.findSent(id);
    return letter == null ? null : mail.whole(letter);
  }

  /** The owner of the mailbox. */
  private static String recipient(ReceivedMail letter) {
    String topic = letter.envelope().topic().name();
    return topic.substring(topic.indexOf('.') + 1).replace('~', '.');
  }

  /** Prints how the recipient was woken for it, or why it can't be. */
  private static void wakes(
      Output out, CommandContext context, ReceivedMail letter, List<Wake> all) {
    String to = recipient(letter);
    Wakes wakes = context.team().lookAtWakes(to);
    for (Wake wake : all) {
      WakeText.steps(to, wake, WakeCommand.times(context, wakes))
          .forEach(line -> out.line("  " + line));
    }
    Wakefulness known = Wakefulness.of(context.bus().path(), to, wakes);
    if (all.isEmpty() && known.way() != null && !letter.entry().has(DeliveryState.SEEN)) {
      out.line("  " + WakeText.sentence(to, known));
    }
  }

  private static void print(
      Invocation invocation, Envelope envelope, @Nullable ReceivedMail letter, List<Wake> wakes) {
    Output out = invocation.out();
    List<DeliveryStep> trail = letter == null ? List.of() : letter.entry().trail();
    BodyPart part = BodyPart.of(invocation);
    String command = "parley show " + envelope.id();
    if (out.isJson()) {
      out.line(json(part, command, envelope, letter, wakes));
      return;
    }
    Times times = Times.system();
    if (letter != null) {
      new MailText(out, times).whole(ShownMail.of(part, letter, command));
    } else {
      BodyPart.Shown shown = part.of(envelope.id(), envelope.toString(), command);
      out.line(out.styled(Style.BOLD, envelope.position().in(envelope.topic())));
      out.line("  " + Printable.json(shown.text()));
      if (!shown.isWhole()) {
        out.line("  " + shown.remark());
      }
    }
    for (DeliveryStep step : trail) {
      out.line(
          "  "
              + (step.at() == null ? "-" : times.clock(step.at()))
              + "  "
              + step.state().word()
              + (step.note() == null ? "" : " (" + Printable.text(step.note()) + ")")
              + "  "
              + Printable.text(step.proof()));
    }
  }

  /** The body of a letter is given beside its envelope, because a long one may not be in it. */
  private static Json json(
      BodyPart part,
      String command,
      Envelope envelope,
      @Nullable ReceivedMail letter,
      List<Wake> wakes) {
    List<DeliveryStep> trail = letter == null ? List.of() : letter.entry().trail();
    String text = envelope.toString();
    Json.ObjectBuilder json =
        Json.object()
            .put("id", envelope.id())
            .put("state", letter == null ? "stored" : letter.state().word())
            .put("trail", Json.of(trail.stream().map(DeliveryStep::toJson).toList()))
            .put("wakes", Json.of(wakes.stream().map(Wake::toJson).toList()))
            .put("topic", envelope.topic().name())
            .put("position", envelope.position().value());
    if (letter == null) {
      return part.of(envelope.id(), text, command)
          .in(json.put("envelope", Json.parse(text)).build(), "envelope");
    }
    String body = letter.content().body();
    if (text.length() <= part.limit()) {
      json.put("envelope", Json.parse(text));
    }
    return part.of(envelope.id(), body, command).in(json.put("body", body).build(), "body");
  }
}
