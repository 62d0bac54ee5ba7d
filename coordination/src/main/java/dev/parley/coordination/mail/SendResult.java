package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.core.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a sender gets: where each copy is, and how far it has come. */
public record SendResult(List<Copy> copies) {
  /**
   * The copy for one recipient.
   *
   * @param state how far it has come; null if it ended so long ago that nobody remembers how
   * @param repeated whether it was there before, sent with the same key
   * @param warning what the sender should know; null if nothing
   */
  public record Copy(
      String to,
      String id,
      Position position,
      @Nullable DeliveryState state,
      boolean repeated,
      @Nullable String warning) {}

  public Copy first() {
    return copies.getFirst();
  }
}
