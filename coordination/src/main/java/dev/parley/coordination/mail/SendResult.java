package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.core.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a sender: the position of each copy, and how far it has come. */
public record SendResult(List<Copy> copies) {
  /**
   * The copy for one recipient.
   *
   * @param state how far it has come; null if it ended too long ago to be remembered
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
