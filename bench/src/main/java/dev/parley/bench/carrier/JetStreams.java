package dev.parley.bench.carrier;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** NATS JetStream with file storage; listens through an ordered push consumer. */
public final class JetStreams implements Carrier {
  private static final int STREAM_EXISTS = 10058;

  /** A connection and the subject, which is a stream of its own. */
  private record Place(Connection connection, String subject) {
    static Place connect(String place) throws IOException, InterruptedException {
      int slash = place.indexOf('/');
      Connection connection =
          Nats.connect("nats://127.0.0.1:" + Integer.parseInt(place.substring(0, slash)));
      return new Place(connection, place.substring(slash + 1));
    }

    JetStream stream() throws IOException, JetStreamApiException {
      JetStreamManagement management = connection.jetStreamManagement();
      try {
        StreamInfo _ =
            management.addStream(
                StreamConfiguration.builder()
                    .name(subject)
                    .subjects(subject)
                    .storageType(StorageType.File)
                    .build());
      } catch (JetStreamApiException e) {
        if (e.getApiErrorCode() != STREAM_EXISTS) {
          throw e;
        }
      }
      return connection.jetStream();
    }

    void close() {
      try {
        connection.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Sender sender(String place, int batch) throws Exception {
    Place to = Place.connect(place);
    JetStream stream = to.stream();
    Text text = Text.line();
    return new Sender() {
      private final List<CompletableFuture<PublishAck>> waiting = new ArrayList<>();

      @Override
      public void send(long stamp) throws Exception {
        if (batch == 1) {
          PublishAck _ = stream.publish(to.subject, text.stamp(stamp));
          return;
        }
        waiting.add(stream.publishAsync(to.subject, text.stamp(stamp).clone()));
        if (waiting.size() == batch) {
          flush();
        }
      }

      @Override
      public void flush() throws Exception {
        for (CompletableFuture<PublishAck> one : waiting) {
          PublishAck _ = one.get();
        }
        waiting.clear();
      }

      @Override
      public void close() {
        to.close();
      }
    };
  }

  @Override
  public Closeable listener(String place, LongConsumer onStamp) throws Exception {
    Place from = Place.connect(place);
    JetStreamSubscription _ =
        from.stream()
            .subscribe(
                from.subject,
                from.connection.createDispatcher(),
                message -> onStamp.accept(Text.stampIn(message.getData(), 0)),
                false,
                PushSubscribeOptions.builder().ordered(true).build());
    return from::close;
  }
}
