package dev.parley.dialects.testing;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.memory.MemoryLog;
import java.util.ArrayList;
import java.util.List;

/** Takes messages through a log: what comes out was a line in between. */
public final class Through {
  private static final Topic TOPIC = new Topic("through");
  private static final Limits LIMITS = new Limits(1 << 22, Limits.DEFAULT_DEPTH);

  private Through() {}

  public static List<Envelope> log(List<Message> messages) {
    EnvelopeDecoder decoder = new EnvelopeDecoder(LIMITS);
    List<Envelope> read = new ArrayList<>();
    try (MemoryLog log = new MemoryLog()) {
      var _ = log.append(TOPIC, messages);
      for (Envelope envelope : log.read(TOPIC, Bookmark.START, messages.size()).envelopes()) {
        byte[] line = envelope.toLine();
        read.add(decoder.decode(TOPIC, line, 0, line.length, envelope.position()));
      }
    }
    return read;
  }

  public static List<Envelope> builders(List<Message.Builder> messages) {
    return log(messages.stream().map(Message.Builder::build).toList());
  }

  public static Envelope log(Message message) {
    return log(List.of(message)).getFirst();
  }
}
