package dev.parley.mcp.tools;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Envelope;
import dev.parley.core.Prefix;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.FeedStart;
import java.util.List;
import java.util.function.Consumer;

/** Tells which resources of an agent may have changed. */
final class ResourceChanges {
  private ResourceChanges() {}

  /**
   * Follows the bus from now on, until it is closed.
   *
   * @param changed receives the URI of each resource
   */
  static void follow(AgentContext context, Consumer<String> changed) {
    Bus bus = context.parley().bus();
    String agent = context.agent().name();
    var _ =
        bus.subscribe(
            new Prefix(Ledger.TOPIC),
            FeedStart.END,
            line -> ofLedger(line.type()).forEach(changed));
    for (Prefix mail :
        List.of(new Prefix(Mailbox.mailOf(agent)), new Prefix(Mailbox.receiptsOf(agent)))) {
      var _ =
          bus.subscribe(
              mail,
              FeedStart.END,
              line -> {
                changed.accept(AgentResources.INBOX);
                changed.accept(AgentResources.thread(conversation(line)));
              });
    }
  }

  private static String conversation(Envelope line) {
    String thread = line.thread();
    String answered = line.replyTo();
    return thread != null ? thread : answered != null ? answered : line.id();
  }

  /** What a line of the ledger may change: the roster shows leases and tasks too. */
  private static List<String> ofLedger(String type) {
    int dot = type.indexOf('.');
    return switch (dot < 0 ? type : type.substring(0, dot)) {
      case "lease" -> List.of(AgentResources.LOCKS, AgentResources.ROSTER);
      case "task" -> List.of(AgentResources.TASKS, AgentResources.LOCKS, AgentResources.ROSTER);
      case "board" -> List.of(AgentResources.BOARD);
      case "join", "leave", "heartbeat", "expect" ->
          List.of(AgentResources.ROSTER, AgentResources.LOCKS, AgentResources.TASKS);
      default -> List.of();
    };
  }
}
