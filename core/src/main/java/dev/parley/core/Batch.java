package dev.parley.core;

import java.util.List;

/**
 * What one read found.
 *
 * @param envelopes in the order of the topic
 * @param damage lines between them that are not envelopes
 * @param next where to read on; the same place as before if there was nothing
 */
public record Batch(List<Envelope> envelopes, List<Damage> damage, Bookmark next) {
  /** Nothing new after {@code place}. */
  public static Batch empty(Bookmark place) {
    return new Batch(List.of(), List.of(), place);
  }
}
