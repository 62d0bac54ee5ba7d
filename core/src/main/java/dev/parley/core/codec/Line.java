package dev.parley.core.codec;

import dev.parley.core.Envelope;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonScanner;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stored line and the offsets of its field values. A value is decoded when it is needed. */
public final class Line implements Envelope.Source {
  private final Topic topic;
  private final @Nullable WriterId writer;
  private final byte[] bytes;

  /**
   * The value of a field is at offsets {@code [2 * index]} to {@code [2 * index + 1]}; both are 0,
   * or beyond the array's end, if the field is absent.
   */
  private final int[] spans;

  private final Map<String, Json> extra;
  private final boolean summed;

  /**
   * @param writer null if the line is foreign or its writer is not known
   * @param bytes not copied; must not be changed
   * @param summed whether the line ends with a matching {@link Checksum}
   */
  Line(
      Topic topic,
      @Nullable WriterId writer,
      byte[] bytes,
      int[] spans,
      Map<String, Json> extra,
      boolean summed) {
    this.topic = topic;
    this.writer = writer;
    this.bytes = bytes;
    this.spans = spans;
    this.extra = extra;
    this.summed = summed;
  }

  /** The same line with a writer. */
  Line by(WriterId itsWriter) {
    return new Line(topic, itsWriter, bytes, spans, extra, summed);
  }

  @Override
  public Topic topic() {
    return topic;
  }

  @Override
  public @Nullable WriterId writer() {
    return writer;
  }

  public boolean isSummed() {
    return summed;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** The members whose key is not a {@link Field}. */
  public Map<String, Json> extra() {
    return extra;
  }

  boolean has(Field field) {
    return to(field) > 0;
  }

  int from(Field field) {
    int at = 2 * field.index();
    return at < spans.length ? spans[at] : 0;
  }

  int to(Field field) {
    int at = 2 * field.index() + 1;
    return at < spans.length ? spans[at] : 0;
  }

  public @Nullable String text(Field field) {
    return has(field) ? JsonScanner.text(bytes, from(field), to(field)) : null;
  }

  public String textOrEmpty(Field field) {
    String text = text(field);
    return text == null ? "" : text;
  }

  public @Nullable Json value(Field field) {
    return has(field) ? Json.scanned(bytes, from(field), to(field)) : null;
  }

  public boolean flag(Field field) {
    return has(field) && bytes[from(field)] == 't';
  }

  /** The number in a field that was checked to consist of digits; 0 if absent. */
  public long count(Field field) {
    long count = 0;
    for (int i = from(field); i < to(field); i++) {
      count = 10 * count + (bytes[i] - '0');
    }
    return count;
  }

  /**
   * The writer of a native line, see {@link Envelope}; null for a foreign one.
   *
   * @param guess the likely writer, to avoid parsing the id
   */
  @Nullable WriterId findWriter(@Nullable WriterId guess) {
    boolean complete =
        has(Field.SEQ)
            && bytes[from(Field.SEQ)] != '0'
            && to(Field.TIMESTAMP) - from(Field.TIMESTAMP) == Timestamps.LENGTH + 2
            && bytes[to(Field.TIMESTAMP) - 2] == 'Z'
            && has(Field.SENDER)
            && has(Field.TOPIC);
    return complete ? WriterId.in(bytes, from(Field.ID) + 1, to(Field.ID) - 1, guess) : null;
  }
}
