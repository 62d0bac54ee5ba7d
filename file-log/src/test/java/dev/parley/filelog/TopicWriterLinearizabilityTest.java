package dev.parley.filelog;

import dev.parley.core.EnvelopeEncoder;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Stored;
import dev.parley.core.Timestamps;
import dev.parley.core.Topic;
import dev.parley.core.WriterId;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Threads that append to one topic meet in a queue, and one of them stores for all: each gets the
 * answer it would have got had they taken turns, nobody sleeps on, and the file has every line in
 * the order of the answers. Lincheck looks for an interleaving in which that is not so.
 */
class TopicWriterLinearizabilityTest {
  /** One writer, whose file is in memory. */
  public static final class Writing {
    private static final Topic TOPIC = new Topic("t");

    private final MemoryDisk disk = new MemoryDisk();
    private final TopicWriter writer =
        new TopicWriter(
            disk,
            Path.of("t.jsonl"),
            TOPIC,
            Limits.DEFAULT,
            WriterId.random(),
            new AtomicLong(),
            () -> Instant.EPOCH,
            Durability.OS);

    @Operation
    public List<Long> append(int number) {
      return append(List.of(message(number)));
    }

    @Operation
    public List<Long> appendTwo(int number) {
      return append(List.of(message(number), message(-number)));
    }

    private List<Long> append(List<Message> messages) {
      List<Long> seqs = new ArrayList<>();
      for (Stored stored : writer.append(messages)) {
        seqs.add(stored.seq());
      }
      return seqs;
    }

    private static Message message(int number) {
      return Message.of("a", "n", Json.of(number));
    }

    /** The payloads in their order. Not parsed: Lincheck can't follow how JSON is scanned. */
    @Operation
    public List<String> stored() {
      List<String> payloads = new ArrayList<>();
      for (String line : new String(disk.content(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.isEmpty()) {
          payloads.add(line.substring(line.indexOf("\"payload\":")));
        }
      }
      return payloads;
    }

    /** The file is closed under whoever appends; the next one opens it again. */
    @Operation
    public void release() {
      writer.release();
    }
  }

  @Test
  void aTopicWriterIsLinearizable() {
    new ModelCheckingOptions()
        .iterations(Seed.isLong() ? 30 : 2)
        .invocationsPerIteration(Seed.isLong() ? 500 : 50)
        .threads(3)
        .actorsPerThread(2)
        .addGuarantee(encoding())
        .check(Writing.class);
  }

  /** What one thread does by itself needs no interleavings; it would take most of the time. */
  private static ManagedStrategyGuarantee encoding() {
    return ManagedStrategyGuaranteeKt.forClasses(
            EnvelopeEncoder.class.getName(), Timestamps.class.getName(), JsonBytes.class.getName())
        .allMethods()
        .ignore();
  }
}
