package dev.parley.bench.fanout;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import dev.parley.core.json.Json;
import java.util.List;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A Disruptor whose consumers yield: they burn the cores they wait on. */
final class DisruptorFan implements Fan {
  private static final int RING = 1 << 16;

  private static final class Slot {
    @Nullable Note note;
  }

  private final Disruptor<Slot> disruptor;
  private final RingBuffer<Slot> ring;

  DisruptorFan(boolean onePublisher, List<Tally> consumers) {
    this.disruptor =
        new Disruptor<>(
            Slot::new,
            RING,
            Executors.defaultThreadFactory(),
            onePublisher ? ProducerType.SINGLE : ProducerType.MULTI,
            new YieldingWaitStrategy());
    for (Tally consumer : consumers) {
      EventHandler<Slot> handler =
          (slot, sequence, endOfBatch) -> {
            if (slot.note != null) {
              consumer.accept(slot.note.topic());
            }
          };
      disruptor.handleEventsWith(handler);
    }
    this.ring = disruptor.start();
  }

  @Override
  public void publish(Json payload) {
    long sequence = ring.next();
    ring.get(sequence).note = new Note(Tally.TOPIC, payload);
    ring.publish(sequence);
  }

  @Override
  public void close() {
    disruptor.shutdown();
  }
}
