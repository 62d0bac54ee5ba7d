package dev.parley.cli.command;

import dev.parley.coordination.ReservedTopic;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;

/** The error for publishing to topics that Parley keeps its own records in. */
final class ReservedTopics {
  private ReservedTopics() {}

  static ParleyException refusal(Topic topic, ReservedTopic books) {
    return ParleyException.refused(
        "reserved-topic",
        "The topic " + topic + " is reserved for Parley's own commands.",
        next(books));
  }

  private static String next(ReservedTopic books) {
    return switch (books) {
      case LEDGER -> "Use the command for it: parley join, lock, task, wait, board or heartbeat.";
      case MAIL, SENT -> "To send mail: parley send <agent> --body -";
      case RECEIPTS -> "To read and answer mail: parley inbox, parley reply";
      case BULLETINS -> "To post on a bulletin: parley bulletin post --wave <wave> --body -";
      case MOUNTS, MOUNT -> "To mount other tools' files: parley mount";
      case RUNS -> "To ask agents: parley ask <agent> <prompt>. To see the results: parley runs";
      case WAKES -> "To see them: parley wake. To set the limits: parley wake limits";
      case KEYS -> "To see or change keys: parley keys";
      case DEAD_LETTERS -> "Choose another topic. To read this one: parley tail dead-letters";
    };
  }
}
