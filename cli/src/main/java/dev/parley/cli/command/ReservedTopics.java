package dev.parley.cli.command;

import dev.parley.coordination.ReservedTopic;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;

/** What answers who would write into the books of the bus. */
final class ReservedTopics {
  private ReservedTopics() {}

  static ParleyException refusal(Topic topic, ReservedTopic books) {
    return ParleyException.refused(
        "reserved-topic",
        "The topic " + topic + " is kept by Parley itself: only its own commands write there.",
        next(books));
  }

  private static String next(ReservedTopic books) {
    return switch (books) {
      case LEDGER ->
          "Use the command that does what you want: parley join, lock, task, wait, board or"
              + " heartbeat.";
      case MAIL, SENT -> "To send mail: parley send <agent> --body -";
      case RECEIPTS -> "To read and answer mail: parley inbox, parley reply";
      case BULLETINS -> "To post on a bulletin: parley bulletin post --wave <wave> --body -";
      case MOUNTS, MOUNT -> "To mount other tools' files: parley mount";
      case RUNS -> "To ask agents: parley ask <agent> <prompt>; parley runs shows what came of it.";
      case WAKES -> "parley wake shows what is there; parley wake limits sets the limits.";
      case KEYS -> "To see or change keys: parley keys";
      case DEAD_LETTERS -> "Choose another topic; parley tail dead-letters shows what is there.";
    };
  }
}
