package dev.parley.dialects.gear;

import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.mail.ForeignMailProxy;
import dev.parley.core.AgentName;
import dev.parley.core.Reporter;
import dev.parley.core.bus.Bus;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one program that require a response and have none yet.
 *
 * <pre>
 * event                                  effect
 * -------------------------------------  ---------------------------------------------------
 * sent, requires a response              open, with a deadline
 * the agent asked answers with the       closed, and marked as answered in that agent's
 *   correlation id                         mailbox; an answer of another program is found in
 *                                          the log when the deadline is over
 * the deadline is over                   closed; the sender gets an agent_error of type
 *                                          no_response
 * </pre>
 *
 * <p>Safe for use by many threads.
 */
final class OpenRequests {
  private final Duration within;
  private final ForeignMailProxy proxy;
  private final Map<String, Open> open = new LinkedHashMap<>();

  private record Open(AgentMessage request, Instant due) {}

  OpenRequests(Bus bus, Duration within, Reporter reporter) {
    this.within = within;
    LedgerOwner owner =
        new LedgerOwner(bus.log(), Views.inMemory(), reporter, InstantSource.system());
    this.proxy = new ForeignMailProxy("gear", owner, bus.log(), Views.inMemory(), reporter);
  }

  Instant deadline() {
    return Instant.now().plus(within);
  }

  /** The open request that a message in a mailbox answers; null if it answers none. */
  synchronized @Nullable String answeredBy(AgentMessage message) {
    String correlation = message.correlationId();
    return correlation == null
            || correlation.isEmpty()
            || !AgentName.isValid(message.fromAgent())
            || message.is(MessageType.AGENT_ERROR)
        ? null
        : proxy.openRequest(message.fromAgent(), message.toAgent(), correlation);
  }

  synchronized void answered(String agent, String request, String answer) {
    proxy.answered(agent, request, answer);
  }

  synchronized void sent(AgentMessage message) {
    open.values().removeIf(each -> message.answers(each.request));
    if (message.requiresResponse()) {
      open.put(message.messageId(), new Open(message, deadline()));
    }
  }

  /** The time until the next deadline. */
  synchronized Duration untilNext() {
    Instant now = Instant.now();
    Duration next = within;
    for (Open each : open.values()) {
      Duration left = Duration.between(now, each.due);
      next = left.compareTo(next) < 0 ? left : next;
    }
    return next.isNegative() ? Duration.ZERO : next;
  }

  /**
   * The errors for senders whose deadline is over.
   *
   * @param conversation reads a conversation from the log
   */
  synchronized List<AgentMessage> overdue(Function<String, List<AgentMessage>> conversation) {
    List<AgentMessage> errors = new ArrayList<>();
    Instant now = Instant.now();
    for (Iterator<Open> each = open.values().iterator(); each.hasNext(); ) {
      Open one = each.next();
      if (!one.due.isAfter(now)) {
        each.remove();
        String correlation = one.request.correlationId();
        boolean answered =
            correlation != null && isAnswered(one.request, conversation.apply(correlation));
        if (!answered) {
          errors.add(one.request.silence(within));
        }
      }
    }
    return errors;
  }

  private static boolean isAnswered(AgentMessage request, List<AgentMessage> conversation) {
    boolean after = false;
    boolean answered = false;
    for (AgentMessage message : conversation) {
      answered |= after && message.answers(request);
      after |= message.messageId().equals(request.messageId());
    }
    return answered;
  }
}
