package dev.parley.cli.tail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.terminal.PositionOption;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.ReservedTopic;
import dev.parley.coordination.bulletin.BulletinAlias;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.dialects.message.Origin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The envelopes that the user wants to see.
 *
 * @param books whether Parley's own topics count although none is named
 * @param after the position in the only topic asked for; null if there is none
 * @param backlog whether existing envelopes are wanted
 * @param since nothing older than this; null for no limit
 * @param types empty for all
 */
record Selection(
    Prefix prefix,
    boolean books,
    @Nullable Position after,
    boolean backlog,
    @Nullable Instant since,
    List<String> types) {

  static Selection of(Arguments arguments) {
    String word = arguments.word(Tail.PREFIX);
    Prefix prefix = word == null ? Prefix.ALL : new Prefix(BulletinAlias.topic(word));
    String from = arguments.value(Tail.FROM, "start");
    boolean named = from.equals("start") || from.equals("end");
    String since = arguments.value(Tail.SINCE);
    return new Selection(
        prefix,
        false,
        named
            ? null
            : PositionOption.position(Tail.FROM.name(), from, prefix.root(), "start, end, or "),
        !from.equals("end"),
        since == null ? null : Times.system().past(Tail.SINCE.name(), since),
        arguments.values(Tail.TYPE));
  }

  /** The most envelopes wanted. */
  static int count(Arguments arguments) {
    String text = arguments.required(Tail.LAST);
    long count = PositionOption.number(text);
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw ParleyException.invalid(
          "bad-count", "-n \"" + text + "\" is not a number.", "Write a number such as 20.");
    }
    return (int) count;
  }

  boolean covers(Topic topic) {
    return after == null
        ? prefix.covers(topic)
            && (books || prefix.root() != null || ReservedTopic.of(topic) == null)
        : topic.equals(prefix.root());
  }

  boolean wants(Envelope envelope) {
    return covers(envelope.topic()) && (types.isEmpty() || types.contains(envelope.type()));
  }

  boolean isRecent(TopicSlice run) {
    if (since == null) {
      return true;
    }
    Instant own = Origin.time(run.envelope());
    return !(own == null ? run.time() : own).isBefore(since);
  }

  /** Passes on only reports about selected topics. */
  Reporter only(Reporter reporter) {
    return report -> {
      boolean concerns =
          switch (report) {
            case Report.Damaged(var damage) -> covers(damage.topic());
            case Report.Gap gap -> covers(gap.topic());
            case Report.Repeated repeated -> covers(repeated.topic());
            case Report.Replaced replaced -> covers(replaced.topic());
            default -> true;
          };
      if (concerns) {
        reporter.report(report);
      }
    };
  }
}
