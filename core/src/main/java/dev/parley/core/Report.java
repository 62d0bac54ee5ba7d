package dev.parley.core;

import dev.parley.core.writer.WriterId;
import java.util.function.Function;

/**
 * Something that was skipped, survived or noticed. It is never the caller's error, and is always
 * reported.
 */
public sealed interface Report {
  /**
   * One sentence for people.
   *
   * @param words says what an error means
   */
  String describe(Function<Exception, String> words);

  /** The same, where errors are shown as codes and details. */
  default String describe() {
    return describe(error -> String.valueOf(error.getMessage()));
  }

  /** A line is not an envelope. */
  record Damaged(Damage damage) implements Report {
    @Override
    public String describe(Function<Exception, String> words) {
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
    public String describe(Function<Exception, String> words) {
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
    public String describe(Function<Exception, String> words) {
      return "repeat of " + id + " passed over at " + position.in(topic);
    }
  }

  /** The topic is not the one that was read before; it is read again from the start. */
  record Replaced(Topic topic, LostPlaceException error) implements Report {
    @Override
    public String describe(Function<Exception, String> words) {
      return "topic " + topic + " is read again from the start: " + words.apply(error);
    }
  }

  /** A handler threw. */
  record HandlerFailed(Envelope envelope, int attempt, Exception error) implements Report {
    @Override
    public String describe(Function<Exception, String> words) {
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
    public String describe(Function<Exception, String> words) {
      return envelope.position().in(envelope.topic())
          + " given up on; see "
          + letter.position().in(letter.topic());
    }
  }

  /** A live subscriber was too slow. */
  record Dropped(Prefix prefix, Envelope envelope, long total) implements Report {
    @Override
    public String describe(Function<Exception, String> words) {
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
    public String describe(Function<Exception, String> words) {
      return "subscription to " + prefix + " ended: " + words.apply(error);
    }
  }

  /** Something did not work, for example because the disk was full, and will be tried again. */
  record Retried(String what, Exception error) implements Report {
    @Override
    public String describe(Function<Exception, String> words) {
      return what + " failed and is tried again: " + words.apply(error);
    }
  }

  /** The clock of a line was impossibly far ahead, and was removed. */
  record ClockCorrected(Topic topic, Position position, String by) implements Report {
    @Override
    public String describe(Function<Exception, String> words) {
      return "the clock of "
          + position.in(topic)
          + " is ahead of what it can be, so "
          + by
          + " has taken it out; agents that lost something because of it are told";
    }
  }
}
