package dev.parley.core.bus;

/** What a subscription does when its handler throws. The failure is reported in every case. */
public sealed interface OnFailure {
  /** Goes on with the next envelope. */
  OnFailure GO_ON = new GoOn();

  /** Ends the subscription; its cursor stays before the envelope. */
  OnFailure STOP = new Stop();

  /**
   * Calls the handler again, up to {@code times} times more; then writes a dead letter and goes on.
   */
  static OnFailure retry(int times) {
    return new Retry(times);
  }

  /** See {@link #GO_ON}. */
  record GoOn() implements OnFailure {}

  /** See {@link #STOP}. */
  record Stop() implements OnFailure {}

  /** See {@link #retry}. */
  record Retry(int times) implements OnFailure {
    public Retry {
      if (times < 0) {
        throw new IllegalArgumentException("cannot retry " + times + " times");
      }
    }
  }
}
