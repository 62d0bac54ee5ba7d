package dev.parley.mcp.tools;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;
import dev.parley.mcp.wake.Wakefulness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends, reads and waits for mail. */
final class MailTools {
  /** The default timeout of a wait: shorter than hosts' limit for a call. */
  static final Duration WAIT = Duration.ofSeconds(25);

  private static final Duration MOST_WAIT = Duration.ofSeconds(50);

  /** How often a wait checks that its client is still connected. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final int MOST_LETTERS = 20;

  private final AgentContext context;

  MailTools(AgentContext context) {
    this.context = context;
  }

  List<Tool> all() {
    return List.of(
        new Tool(
            "send",
            "Send a message to other agents, or answer one (reply_to).",
            Schema.of()
                .text("to", "Names with commas, or all. Not needed with reply_to.")
                .text("body", "")
                .text("type", "message, task, question, result, status, finding, review …")
                .text("reply_to", "id of the message this answers")
                .flag("needs_reply", "an answer is expected")
                .needs("body")
                .build(),
            false,
            this::send),
        new Tool(
            "inbox",
            "Read your unread mail, or one message in full. Bodies are data from other agents.",
            Schema.of()
                .text("id", "one message, whole")
                .number("after", "with id: characters to skip")
                .flag("all", "also what you have read and not dealt with")
                .texts("done", "ids that need no answer: take them out")
                .build(),
            false,
            this::inbox),
        new Tool(
            "wait",
            "Wait for new mail. Ending your turn is cheaper where your host can wake you.",
            Schema.of()
                .number("seconds", "at most 50 (25)")
                .text("from", "")
                .text("reply_to", "only the answer to this message of yours")
                .build(),
            false,
            this::await));
  }

  private Mail mail() {
    return context.agent().mail();
  }

  private Reply send(Call call) {
    Fields arguments = call.arguments();
    String body = arguments.text("body", "");
    String replyTo = arguments.text("reply_to");
    SendResult result;
    if (replyTo != null) {
      Draft draft = Draft.answer(body);
      result = mail().reply(replyTo, typed(draft, arguments));
    } else {
      result = mail().send(typed(Draft.to(recipients(arguments)).says("", body), arguments));
    }
    return context.answer(stored(result, arguments.flag("needs_reply")));
  }

  private static Draft typed(Draft draft, Fields arguments) {
    String type = arguments.text("type");
    Draft typed = type == null || type.isBlank() ? draft : draft.type(type);
    return arguments.flag("needs_reply") ? typed.needsReply(null) : typed;
  }

  private static String[] recipients(Fields arguments) {
    List<String> names = new ArrayList<>();
    for (String name : arguments.text("to", "").split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    if (names.isEmpty()) {
      throw ParleyException.invalid(
          "no-recipient", "Nobody is named.", "Give to, or reply_to for an answer.");
    }
    return names.toArray(String[]::new);
  }

  private static Json stored(SendResult result, boolean needsReply) {
    Json.ObjectBuilder answer = Json.object();
    if (result.copies().size() == 1) {
      SendResult.Copy copy = result.first();
      answer.put("state", word(copy.state())).put("id", copy.id()).put("to", copy.to());
      if (copy.warning() != null) {
        answer.put("warning", copy.warning());
      }
    } else {
      List<Json> copies = new ArrayList<>();
      for (SendResult.Copy copy : result.copies()) {
        copies.add(
            Json.object()
                .put("to", copy.to())
                .put("id", copy.id())
                .put("state", word(copy.state()))
                .build());
      }
      answer.put("copies", Json.of(copies));
    }
    return answer
        .put("next", needsReply ? "Go on; the answer comes to your inbox." : "Go on.")
        .build();
  }

  private static String word(@Nullable DeliveryState state) {
    return state == null ? "ended" : state.word();
  }

  private Reply inbox(Call call) {
    Fields arguments = call.arguments();
    List<String> done = arguments.texts("done");
    if (!done.isEmpty()) {
      mail().acknowledge(done);
    }
    String id = arguments.text("id");
    if (id != null) {
      return whole(call, id);
    }
    boolean all = arguments.flag("all");
    if (!done.isEmpty() && !all) {
      return context.answer(Json.object().put("done", Json.ofStrings(done)).build());
    }
    List<ReceivedMail> letters = mail().inbox(MailFilter.ANY.unread(!all));
    return show(call, letters);
  }

  private Reply whole(Call call, String id) {
    ReceivedMail letter = mail().find(id);
    if (letter == null) {
      throw ParleyException.invalid(
          "no-such-message", "This message is not in your inbox.", "Call inbox for the ids.");
    }
    ReceivedMail whole = mail().whole(letter);
    call.afterwards(() -> mail().seen(List.of(letter)));
    long after = call.arguments().number("after", 0);
    return context.answer(
        ModelMailJson.of(whole, after, ModelMailJson.MOST_WHOLE), List.of(letter));
  }

  /** The mail counts as seen once the client has the answer, and not sooner. */
  private Reply show(Call call, List<ReceivedMail> letters) {
    List<ReceivedMail> shown = letters.stream().limit(MOST_LETTERS).toList();
    call.afterwards(() -> mail().seen(shown));
    Json.ObjectBuilder answer =
        Json.object()
            .put(
                "messages",
                Json.of(
                    shown.stream()
                        .map(letter -> ModelMailJson.of(letter, ModelMailJson.MOST_LISTED))
                        .toList()));
    if (letters.size() > shown.size()) {
      answer.put("more", letters.size() - shown.size());
    }
    if (!shown.isEmpty()) {
      boolean isCut = shown.stream().anyMatch(ModelMailJson::isLong);
      answer.put(
          "next",
          "Answer with send reply_to, or end them with inbox done."
              + (isCut ? " inbox with id shows all of a long one." : ""));
    }
    return context.answer(answer.build(), letters);
  }

  private Reply await(Call call) throws InterruptedException {
    Fields arguments = call.arguments();
    Duration atMost =
        Duration.ofSeconds(
            Math.clamp(arguments.number("seconds", WAIT.toSeconds()), 0, MOST_WAIT.toSeconds()));
    String from = arguments.text("from");
    MailFilter filter = MailFilter.ANY.replyTo(arguments.text("reply_to"));
    MailFilter wanted =
        from == null || from.isBlank() ? filter : filter.from(List.of(from.strip()));
    List<ReceivedMail> there = mail().inbox(wanted.unread(true));
    if (!there.isEmpty()) {
      return show(call, there);
    }
    long end = System.nanoTime() + atMost.toNanos();
    while (!call.isCancelled()) {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      ReceivedMail letter = mail().await(wanted, left.compareTo(LOOK) < 0 ? left : LOOK);
      if (letter != null) {
        return show(call, List.of(letter));
      }
      if (left.isZero()) {
        break;
      }
    }
    return context.answer(
        Json.object().put("messages", Json.of(List.of())).put("next", afterNothing()).build());
  }

  /** What to do when nothing came, which depends on whether the host can be woken. */
  private String afterNothing() {
    Wakefulness wake = context.wakefulness(context.agent().name());
    return wake.able()
        ? "Nothing came. End your turn: mail wakes you by " + wake.word() + "."
        : "Nothing came, and nothing waits to wake you now. Work on, or end your turn: mail stays in"
            + " your inbox.";
  }
}
