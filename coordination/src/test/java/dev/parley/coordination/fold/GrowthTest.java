package dev.parley.coordination.fold;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However many lines there are, one more takes about as long to fold as any before it: of the worst
 * lines of each kind that we could think of.
 *
 * <p>Times are the thread's own, so that what else the machine does matters little. What takes time
 * with the square of the lines takes six times as long for the last tenth as for the second.
 */
class GrowthTest {
  private static final int LINES = Seed.isLong() ? 100_000 : 5_000;
  private static final int TENTHS = 10;

  /** Of a tenth; a collection or a compilation may come between. */
  private static final long SLACK = 250_000_000;

  /** What one line may take on average, however nasty: of most it is a few microseconds. */
  private static final long MOST_PER_LINE = 2_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @ParameterizedTest
  @EnumSource(NastyLines.class)
  void oneMoreLineTakesNoLonger(NastyLines nasty) {
    List<Envelope> lines = decoded(nasty, Math.min(LINES, nasty.most()));
    Fold fold = fold(nasty);
    Map<Topic, Position> last = new HashMap<>();
    long[] tenths = new long[TENTHS];
    int tenth = lines.size() / TENTHS;
    for (int i = 0; i < TENTHS; i++) {
      long start = THREADS.getCurrentThreadCpuTime();
      for (Envelope line : lines.subList(i * tenth, (i + 1) * tenth)) {
        Position before = last.getOrDefault(line.topic(), Position.START);
        fold.apply(line, before);
        last.put(line.topic(), line.position());
      }
      tenths[i] = THREADS.getCurrentThreadCpuTime() - start;
    }
    long all = 0;
    for (long one : tenths) {
      all += one;
    }
    String figures =
        "%s: %,d lines in %,d ms, second tenth %,d ms, last %,d ms"
            .formatted(
                nasty, lines.size(), all / 1_000_000, tenths[1] / 1_000_000, tenths[9] / 1_000_000);
    Seed.say(figures);
    // The dearest of the earlier tenths: some begin with lines that cost nothing.
    long earlier = 0;
    for (int i = 1; i < TENTHS - 3; i++) {
      earlier = Math.max(earlier, tenths[i]);
    }
    assertThat(tenths[TENTHS - 1]).as(figures).isLessThan(3 * earlier + SLACK);
    assertThat(all / lines.size()).as(figures + ", a line").isLessThan(MOST_PER_LINE);
  }

  private static List<Envelope> decoded(NastyLines nasty, int count) {
    EnvelopeDecoder decoder = new EnvelopeDecoder(Limits.DEFAULT);
    Map<String, Topic> topics = new HashMap<>();
    Map<String, Long> positions = new HashMap<>();
    List<Envelope> envelopes = new ArrayList<>();
    for (NastyLines.Line line : nasty.lines(count, Ledger.RULES)) {
      byte[] bytes = line.text().getBytes(UTF_8);
      Topic topic = topics.computeIfAbsent(line.topic(), Topic::new);
      long position = positions.merge(line.topic(), 1L, Long::sum);
      envelopes.add(decoder.decode(topic, bytes, 0, bytes.length, new Position(position)));
    }
    return envelopes;
  }

  private static Fold fold(NastyLines nasty) {
    return switch (nasty.topic) {
      case "ledger" -> Ledger.KIND.begin();
      case "sent.x" -> Outbox.kind("x").begin();
      default -> Mailbox.of("x").begin();
    };
  }
}
