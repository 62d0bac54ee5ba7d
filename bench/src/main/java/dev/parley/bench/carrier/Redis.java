package dev.parley.bench.carrier;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntryBinary;

/** Redis Streams: XADD, pipelined by the batch, and XREAD BLOCK. */
public final class Redis implements Carrier {
  private static final byte[] FIELD = {'l'};
  private static final int AT_ONCE = 1024;

  /** Where on a server: {@code port/stream}. */
  private record Place(int port, String stream) {
    static Place of(String place) {
      int slash = place.indexOf('/');
      return new Place(Integer.parseInt(place.substring(0, slash)), place.substring(slash + 1));
    }

    byte[] key() {
      return stream.getBytes(StandardCharsets.US_ASCII);
    }

    Jedis connect() {
      return new Jedis("127.0.0.1", port, 0);
    }
  }

  @Override
  public Sender sender(String place, int batch) {
    Place to = Place.of(place);
    Jedis redis = to.connect();
    return batch == 1
        ? new SingleSender(redis, to.key())
        : new PipelinedSender(redis, to.key(), batch);
  }

  private static final class SingleSender implements Sender {
    private final Jedis redis;
    private final byte[] stream;
    private final Text text = Text.line();

    SingleSender(Jedis redis, byte[] stream) {
      this.redis = redis;
      this.stream = stream;
    }

    @Override
    public void send(long stamp) {
      var _ = redis.xadd(stream, XAddParams.xAddParams(), Map.of(FIELD, text.stamp(stamp)));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      redis.close();
    }
  }

  private static final class PipelinedSender implements Sender {
    private final Jedis redis;
    private final Pipeline pipeline;
    private final byte[] stream;
    private final int batch;
    private final Text text = Text.line();
    private int waiting;

    PipelinedSender(Jedis redis, byte[] stream, int batch) {
      this.redis = redis;
      this.pipeline = redis.pipelined();
      this.stream = stream;
      this.batch = batch;
    }

    @Override
    public void send(long stamp) {
      Response<byte[]> _ =
          pipeline.xadd(stream, XAddParams.xAddParams(), Map.of(FIELD, text.stamp(stamp)));
      if (++waiting == batch) {
        flush();
      }
    }

    @Override
    public void flush() {
      pipeline.sync();
      waiting = 0;
    }

    @Override
    public void close() {
      pipeline.close();
      redis.close();
    }
  }

  /** Reads on in a stream. */
  private static final class Reader implements Closeable {
    private final byte[] stream;
    private final Jedis redis;
    private StreamEntryID last;

    Reader(Place place) {
      this.stream = place.key();
      this.redis = place.connect();
      this.last = new StreamEntryID(0, 0);
    }

    List<StreamEntryBinary> next() {
      var found =
          redis.xreadBinary(
              XReadParams.xReadParams().count(AT_ONCE).block(0), Map.of(stream, last));
      if (found == null || found.isEmpty()) {
        return List.of();
      }
      List<StreamEntryBinary> entries = found.getFirst().getValue();
      last = entries.getLast().getID();
      return entries;
    }

    @Override
    public void close() {
      redis.close();
    }
  }

  @Override
  public Counter counter(String place) {
    Reader reader = new Reader(Place.of(place));
    return new Counter() {
      @Override
      public long take() {
        return reader.next().size();
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }

  @Override
  public Closeable listener(String place, LongConsumer onStamp) throws IOException {
    Reader reader = new Reader(Place.of(place));
    Thread _ = Thread.ofPlatform().daemon().start(() -> listen(reader, onStamp));
    return reader;
  }

  private static void listen(Reader reader, LongConsumer onStamp) {
    try {
      while (true) {
        for (StreamEntryBinary entry : reader.next()) {
          for (byte[] text : entry.getFields().values()) {
            onStamp.accept(Text.stampIn(text, 0));
          }
        }
      }
    } catch (JedisException e) {
      // Closed.
    }
  }
}
