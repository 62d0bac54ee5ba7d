package dev.parley.cli.demo;

import dev.parley.core.Bus;
import dev.parley.core.Envelope;
import dev.parley.core.Feed;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Start;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;

/**
 * What one agent of the demo does: it reads the bus, and each thing it says answers something it
 * read there.
 *
 * <pre>
 * planner ──task.assigned──▶ builder ──question──▶ reviewer
 *                            builder ◀──answer──── reviewer
 *                            builder ──task.delivered──▶ reviewer ──review.approved──▶ planner
 * planner ──task.done
 * </pre>
 */
final class Role {
  static final List<String> NAMES = List.of("planner", "builder", "reviewer");

  /** The last thing that is said. */
  static final String LAST = "task.done";

  /** One topic for all of it: only within a topic is there an order to be shown. */
  private static final Topic TOPIC = new Topic("team");

  private static final String TASK = "T-1";

  /** More than the slowest machine needs to start a process. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String name;
  private final Bus bus;
  private final Feed feed;

  Role(String name, Bus bus) {
    this.name = name;
    this.bus = bus;
    this.feed = bus.feed(Prefix.ALL, Start.BEGINNING);
  }

  void play() throws InterruptedException {
    say(message("joined", Json.object().put("pid", ProcessHandle.current().pid())));
    switch (name) {
      case "planner" -> plan();
      case "builder" -> build();
      default -> review();
    }
  }

  private void plan() throws InterruptedException {
    for (String other : NAMES) {
      if (!other.equals(name)) {
        await("joined");
      }
    }
    say(to("builder", "task.assigned", text("goal", "add --dry-run to the deploy script")));
    Envelope approval = await("review.approved");
    say(message(LAST, text("result", "merged")).replyTo(approval.id()));
  }

  private void build() throws InterruptedException {
    Envelope task = await("task.assigned");
    say(
        to("reviewer", "question", text("text", "Does a dry run still take the deploy lock?"))
            .replyTo(task.id())
            .needsReply(true));
    Envelope answer = await("answer");
    say(
        to("reviewer", "task.delivered", text("change", "deploy.sh, 14 lines, 3 tests"))
            .replyTo(answer.id()));
  }

  private void review() throws InterruptedException {
    Envelope question = await("question");
    say(
        to("builder", "answer", text("text", "No. It prints the plan and touches nothing."))
            .replyTo(question.id()));
    Envelope delivery = await("task.delivered");
    say(
        to("planner", "review.approved", text("note", "clean, and the lock stays free"))
            .replyTo(delivery.id()));
  }

  private static Json.ObjectBuilder text(String key, String value) {
    return Json.object().put(key, value);
  }

  private Message.Builder message(String type, Json.ObjectBuilder payload) {
    Message.Builder message = Message.builder(name, type).payload(payload.build());
    return type.equals("joined") ? message : message.task(TASK);
  }

  private Message.Builder to(String agent, String type, Json.ObjectBuilder payload) {
    return message(type, payload).to(List.of(agent));
  }

  private void say(Message.Builder message) {
    bus.publish(TOPIC, message.build());
  }

  /** The next envelope of a type that somebody else wrote. */
  private Envelope await(String type) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Envelope envelope = feed.next(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      if (envelope == null) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            "demo-stuck",
            "The " + name + " of the demo waited in vain for " + type + ".",
            "Run parley doctor on a bus kept with parley demo --keep.");
      }
      if (envelope.type().equals(type) && !envelope.sender().equals(name)) {
        return envelope;
      }
    }
  }
}
