package dev.parley.dialects.gear;

import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gear's message bus on a Parley bus: subscribe, send, create, history.
 *
 * <p>A message is in the log before any callback runs. {@link #send} returns after all recipients'
 * callbacks have run. If a callback calls it, that callback finishes first: delivery is never
 * recursive, and every agent gets its messages in order. A callback that throws is reported and
 * does not stop the others. Mail that other programs send to a subscribed agent is delivered as
 * well.
 *
 * <p>Safe for use by many threads.
 */
public final class GearMessageBus implements AutoCloseable {
  private static final Prefix MAIL = Prefix.of("mail");
  private static final Duration SWEEP = Duration.ofSeconds(5);
  private static final int BATCH = 1024;

  /** How long to wait for an expected reply unless another time is given. */
  public static final Duration RESPONSE_WITHIN = Duration.ofMinutes(15);

  private final Bus bus;
  private final GearCodec codec;
  private final Reporter reporter;
  private final Doorbell doorbell;
  private final Map<String, Subscriber> subscribers = new ConcurrentHashMap<>();
  private final ReentrantLock delivering = new ReentrantLock();
  private final Thread thread;
  private final OpenRequests requests;
  private volatile boolean closed;

  /**
   * An agent's callbacks, and the position up to which its mail was delivered. Only the delivering
   * thread uses the position.
   */
  private static final class Subscriber {
    final List<Consumer<AgentMessage>> callbacks = new CopyOnWriteArrayList<>();
    final Topic topic;
    Bookmark place;

    Subscriber(Topic topic, Bookmark place) {
      this.topic = topic;
      this.place = place;
    }
  }

  /**
   * @param project the run of all messages sent here; null for none
   */
  public GearMessageBus(Bus bus, @Nullable String project, Reporter reporter) {
    this(bus, project, RESPONSE_WITHIN, reporter);
  }

  /**
   * @param responseWithin how long to wait for an expected reply; then the sender gets an {@code
   *     agent_error} in the name of the agent that did not reply
   */
  public GearMessageBus(
      Bus bus, @Nullable String project, Duration responseWithin, Reporter reporter) {
    this.bus = bus;
    this.codec = new GearCodec(project);
    this.reporter = reporter;
    this.requests = new OpenRequests(bus, responseWithin, reporter);
    this.doorbell = bus.log().doorbell(MAIL);
    this.thread = Thread.ofPlatform().daemon().name("gear bus").unstarted(this::handOnForeign);
    thread.start();
  }

  /** Calls a callback with every message for an agent from now on. */
  public void subscribe(String agentId, Consumer<AgentMessage> callback) {
    Topic topic = Mailbox.mailOf(agentId);
    subscribers
        .computeIfAbsent(agentId, agent -> new Subscriber(topic, bus.log().end(topic)))
        .callbacks
        .add(callback);
  }

  /** Removes all callbacks of an agent. */
  public void unsubscribe(String agentId) {
    subscribers.remove(agentId);
  }

  /**
   * Stores a message and calls the subscribers. A message that requires a response gets a deadline.
   * A reply, recognised by its correlation id, ends the deadline.
   *
   * @throws ParleyException INVALID if the recipient is not an agent's name
   */
  public void send(AgentMessage message) {
    Topic topic = Mailbox.mailOf(message.toAgent());
    Message.Builder envelope = codec.toLog(message);
    String request = requests.answeredBy(message);
    if (request != null) {
      envelope.replyTo(request);
    }
    if (message.requiresResponse()) {
      envelope.deadline(requests.deadline());
    }
    Stored stored = bus.publish(topic, envelope.build());
    requests.sent(message);
    if (request != null) {
      requests.answered(message.fromAgent(), request, stored.id());
    }
    deliver();
  }

  /** The payload fields that a message lacks; empty if none are missing or its type is unknown. */
  public static List<String> validate(AgentMessage message) {
    return message.missing();
  }

  /** A message outside any conversation that expects no reply. */
  public AgentMessage createMessage(
      MessageType type, String fromAgent, String toAgent, Json payload) {
    return createMessage(type, fromAgent, toAgent, payload, null);
  }

  /** A message that expects no reply. */
  public AgentMessage createMessage(
      MessageType type,
      String fromAgent,
      String toAgent,
      Json payload,
      @Nullable String correlationId) {
    return createMessage(type, fromAgent, toAgent, payload, correlationId, false);
  }

  /** A message with a new id and the current time. */
  public AgentMessage createMessage(
      MessageType type,
      String fromAgent,
      String toAgent,
      Json payload,
      @Nullable String correlationId,
      boolean requiresResponse) {
    return new AgentMessage(
        "msg_" + Fingerprint.unique(),
        type.value(),
        fromAgent,
        toAgent,
        AgentMessage.timestamp(LocalDateTime.now(ZoneId.systemDefault())),
        payload,
        correlationId,
        requiresResponse,
        Map.of());
  }

  /** All messages, oldest first, including those of earlier programs. */
  public List<AgentMessage> getMessageHistory() {
    return history(bus.log(), null).stream().map(codec::fromLog).toList();
  }

  /** The messages from or to one agent. */
  public List<AgentMessage> getMessageHistory(String agentId) {
    return getMessageHistory().stream()
        .filter(one -> one.fromAgent().equals(agentId) || one.toAgent().equals(agentId))
        .toList();
  }

  /** The messages of one conversation, of one agent if one is named. */
  public List<AgentMessage> getMessageHistory(@Nullable String agentId, String correlationId) {
    return (agentId == null ? getMessageHistory() : getMessageHistory(agentId))
        .stream().filter(one -> correlationId.equals(one.correlationId())).toList();
  }

  /** A conversation, ordered by its messages' times. */
  public List<AgentMessage> getConversation(String correlationId) {
    return getMessageHistory(null, correlationId).stream()
        .sorted(Comparator.comparing(AgentMessage::timestamp))
        .toList();
  }

  /** The mail of a bus in the order in which it was stored, of one run if one is named. */
  static List<Envelope> history(Log log, @Nullable String run) {
    List<Envelope> found = new ArrayList<>();
    for (Topic topic : log.topics(MAIL)) {
      WholeTopic.forEach(
          log,
          topic,
          envelope -> {
            if (isMessage(envelope) && (run == null || run.equals(envelope.run()))) {
              found.add(envelope);
            }
          });
    }
    // A writer numbers its messages across all topics. That orders messages with equal timestamps.
    found.sort(
        Comparator.comparing(Envelope::timestamp).thenComparingLong(GearMessageBus::numberOf));
    return found;
  }

  private static boolean isMessage(Envelope envelope) {
    return MailTypes.isMessage(envelope.type());
  }

  private static long numberOf(Envelope envelope) {
    String id = envelope.id();
    try {
      return envelope.isNative() ? Long.parseLong(id.substring(id.lastIndexOf('-') + 1)) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void deliver() {
    if (delivering.isHeldByCurrentThread()) {
      return; // inside a callback: its caller continues when it returns
    }
    delivering.lock();
    try {
      boolean more = true;
      while (more) {
        more = false;
        for (Subscriber subscriber : subscribers.values()) {
          more |= deliver(subscriber);
        }
      }
    } finally {
      delivering.unlock();
    }
  }

  /** Delivers what is new for one agent; false if nothing is. */
  private boolean deliver(Subscriber subscriber) {
    Batch batch = bus.log().read(subscriber.topic, subscriber.place, BATCH);
    boolean moved = !batch.next().equals(subscriber.place);
    subscriber.place = batch.next();
    for (Envelope envelope : batch.envelopes()) {
      if (isMessage(envelope)) {
        call(subscriber, envelope);
      }
    }
    return moved;
  }

  private void call(Subscriber subscriber, Envelope envelope) {
    AgentMessage message = codec.fromLog(envelope);
    for (Consumer<AgentMessage> callback : subscriber.callbacks) {
      try {
        callback.accept(message);
      } catch (RuntimeException e) {
        reporter.report(new Report.HandlerFailed(envelope, 1, e));
      }
    }
  }

  private void handOnForeign() {
    try {
      while (!closed) {
        Duration next = requests.untilNext();
        var _ = doorbell.await(next.compareTo(SWEEP) < 0 ? next : SWEEP);
        for (AgentMessage silent : requests.overdue(this::getConversation)) {
          send(silent);
        }
        deliver();
      }
    } catch (ParleyException | InterruptedException e) {
      if (!closed) {
        reporter.report(new Report.Stopped(MAIL, e));
      }
    }
  }

  /** Stops all deliveries. The bus stays open. */
  @Override
  public void close() {
    closed = true;
    doorbell.close();
    thread.interrupt();
  }
}
