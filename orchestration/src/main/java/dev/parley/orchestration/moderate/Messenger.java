package dev.parley.orchestration.moderate;

import dev.parley.coordination.mail.ForeignMailProxy;
import dev.parley.core.Message;
import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.dialects.gear.GearCodec;
import dev.parley.dialects.gear.MessageFlow;
import dev.parley.dialects.gear.MessageType;
import dev.parley.orchestration.ask.Run;
import dev.parley.text.Explanation;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Passes messages between the agents of a project.
 *
 * <p>A message is first a line in the run's topic, which is what counts, and then mail keyed by the
 * message's id. If the process is killed before the mail, the next process delivers it, and the key
 * prevents duplicates.
 */
final class Messenger {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS", Locale.ROOT);

  private final Run run;
  private final ProjectRecord record;
  private final StateFiles files;
  private final ForeignMailProxy proxy;

  Messenger(Run run, ProjectRecord record, StateFiles files) {
    this.run = run;
    this.record = record;
    this.files = files;
    this.proxy =
        new ForeignMailProxy(
            "moderate-" + run.id(),
            run.context().team().ledger(),
            run.context().log(),
            Views.inMemory(),
            Reporter.toLog(Explanation::messageOf));
  }

  /** Appends a line to the run's topic and applies it to the record. */
  void say(String type, Json payload) {
    run.say(type, payload);
    record.apply(type, payload);
    files.project(record);
  }

  /** Appends a message, delivers it, and shows it to people who watch. */
  void send(MessageType type, String from, String to, Json payload, @Nullable String correlation) {
    boolean requires =
        switch (type) {
          case TASK_ASSIGNED, PR_SUBMITTED, PR_FEEDBACK, IMPROVEMENT_REQUESTED -> true;
          default -> false;
        };
    AgentMessage message =
        new AgentMessage(
            "msg_" + Fingerprint.unique(),
            type.value(),
            from,
            to,
            now().format(MICROS),
            payload,
            correlation,
            requires,
            Map.of());
    say(ModerateTypes.MESSAGE, Json.object().put("message", message.toJson()).build());
    deliver(message);
    files.log(message);
    String about = MessageFlow.about(message);
    run.tell(from + " → " + to + "  " + type.name() + (about.isEmpty() ? "" : "  " + about));
  }

  static LocalDateTime now() {
    return LocalDateTime.now(ZoneId.systemDefault());
  }

  /** Delivers the last message, in case the process was killed before that. */
  void deliverLast() {
    List<AgentMessage> messages = record.messages();
    if (!messages.isEmpty()) {
      deliver(messages.getLast());
    }
  }

  private void deliver(AgentMessage message) {
    Message.Builder mail = new GearCodec(record.project()).toLog(message);
    if (message.requiresResponse()) {
      mail.deadline(Instant.now().plus(record.settings().respond()));
    }
    String correlation = message.correlationId();
    String request =
        correlation == null
            ? null
            : proxy.openRequest(message.fromAgent(), message.toAgent(), correlation);
    if (request != null) {
      mail.replyTo(request);
    }
    String id = proxy.deliver(message.toAgent(), mail.build());
    proxy.seen(message.toAgent(), List.of(id));
    if (request != null) {
      proxy.answered(message.fromAgent(), request, id);
    }
  }

  void remark(String text) {
    say(ModerateTypes.REMARK, Json.object().put("text", text).build());
    run.tell(text);
  }
}
