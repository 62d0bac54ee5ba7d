package dev.parley.bench.carrier;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wire;

/** Chronicle Queue: a mapped file. Has no batches; a counting reader spins, a listener parks. */
public final class Chronicle implements Carrier {
  /** How long a listener that does not burn a core sleeps between looks. */
  private static final long PARK = 50_000;

  private static ChronicleQueue open(String place) {
    return SingleChronicleQueueBuilder.binary(Path.of(place, "queue").toFile()).build();
  }

  @Override
  public Sender sender(String place, int batch) {
    ChronicleQueue queue = open(place);
    ExcerptAppender appender = queue.createAppender();
    Text text = Text.line();
    return new Sender() {
      @Override
      public void send(long stamp) {
        try (DocumentContext document = appender.writingDocument()) {
          bytes(document).write(stamp == 0 ? text.bytes() : text.stamp(stamp));
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {
        appender.close();
        queue.close();
      }
    };
  }

  private static Bytes<?> bytes(DocumentContext document) {
    Wire wire = document.wire();
    if (wire == null) {
      throw new IllegalStateException("no wire");
    }
    return wire.bytes();
  }

  @Override
  public Counter counter(String place) {
    ChronicleQueue queue = open(place);
    ExcerptTailer tailer = queue.createTailer();
    byte[] message = new byte[Text.LENGTH];
    return new Counter() {
      @Override
      public long take() {
        try (DocumentContext document = tailer.readingDocument()) {
          if (document.isPresent()) {
            return bytes(document).read(message) == Text.LENGTH ? 1 : 0;
          }
        }
        Thread.onSpinWait();
        return 0;
      }

      @Override
      public void close() {
        tailer.close();
        queue.close();
      }
    };
  }

  @Override
  public Closeable listener(String place, LongConsumer onStamp) throws InterruptedException {
    CountDownLatch atEnd = new CountDownLatch(1);
    Thread thread = Thread.ofPlatform().daemon().start(() -> listen(place, atEnd, onStamp));
    atEnd.await();
    return thread::interrupt;
  }

  private static void listen(String place, CountDownLatch atEnd, LongConsumer onStamp) {
    byte[] message = new byte[Text.LENGTH];
    try (ChronicleQueue queue = open(place);
        ExcerptTailer tailer = queue.createTailer().toEnd()) {
      atEnd.countDown();
      while (!Thread.currentThread().isInterrupted()) {
        boolean found;
        try (DocumentContext document = tailer.readingDocument()) {
          found = document.isPresent() && bytes(document).read(message) == Text.LENGTH;
        }
        if (found) {
          onStamp.accept(Text.stampIn(message, 0));
        } else {
          LockSupport.parkNanos(PARK);
        }
      }
    }
  }
}
