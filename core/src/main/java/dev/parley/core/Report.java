package dev.parley.core;

import dev.parley.core.writer.WriterId;

/**
 * Something that was skipped, survived or noticed. It is never the caller's error, and is always
 * reported.
 */
public sealed interface Report {
  /** One sentence for people. */
  String describe();

  /** A line is not an envelope. */
  record Damaged(Damage damage) implements Report {
    @Override
    public String describe() {
      return "damaged line passed over at "
          + damage.offset().in(damage.topic())
          + " ("
          + damage.length()
          + " bytes): "
          + damage.reason();
    }
  }

  /** A writer's count jumped: lines of it are missing. */
  record Gap(Topic topic, Position position, WriterId writer, long expected, long found)
      implements Report {
    @Override
    public String describe() {
      return "gap before "
          + position.in(topic)
          + ": writer "
          + writer
          + " went from seq "
          + (expected - 1)
          + " to "
          + found;
    }
  }

  /** A line was there before; it is delivered once. */
  record Repeated(Topic topic, Position position, String id) implements Report {
    @Override
    public String describe() {
      return "repeat of " + id + " passed over at " + position.in(topic);
    }
  }

  /** The topic is not the one that was read before; it is read again from the start. */
  record Replaced(Topic topic, String reason) implements Report {
    @Override
    public String describe() {
      return "topic " + topic + " is read again from the start: " + reason;
    }
  }

  /** A handler threw. */
  record HandlerFailed(Envelope envelope, int attempt, Exception error) implements Report {
    @Override
    public String describe() {
      return "handler failed (attempt "
          + attempt
          + ") on "
          + envelope.position().in(envelope.topic())
          + ": "
          + error;
    }
  }

  /** An envelope was given up on and put into the dead letters. */
  record DeadLettered(Envelope envelope, Stored letter) implements Report {
    @Override
    public String describe() {
      return envelope.position().in(envelope.topic())
          + " given up on; see "
          + letter.position().in(letter.topic());
    }
  }

  /** A live subscriber was too slow. */
  record Dropped(Prefix prefix, Envelope envelope, long total) implements Report {
    @Override
    public String describe() {
      return "live subscriber of "
          + prefix
          + " is full: "
          + envelope.id()
          + " dropped, "
          + total
          + " so far";
    }
  }

  /** Something else stopped a subscription, such as a topic that can't be read any more. */
  record Stopped(Prefix prefix, Exception error) implements Report {
    @Override
    public String describe() {
      return "subscription to " + prefix + " ended: " + error.getMessage();
    }
  }

  /** Something did not work, for example because the disk was full, and will be tried again. */
  record Retried(String what, Exception error) implements Report {
    @Override
    public String describe() {
      return what + " failed and is tried again: " + error.getMessage();
    }
  }

  /** The clock of a line was impossibly far ahead, and was removed. */
  record ClockCorrected(Topic topic, Position position, String by) implements Report {
    @Override
    public String describe() {
      return "the clock of "
          + position.in(topic)
          + " is ahead of what it can be, so "
          + by
          + " has taken it out; agents that lost something because of it are told";
    }
  }
}
