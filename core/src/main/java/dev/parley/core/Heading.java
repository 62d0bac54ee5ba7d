package dev.parley.core;

import dev.parley.core.json.JsonBytes;
import java.util.Arrays;

/**
 * How the line written last begins, up to its payload. Of many that are written at once, each
 * begins like the one before, with two counts that are one higher: that is quicker copied than
 * written.
 */
final class Heading {
  private byte[] bytes = {};
  private int length;
  private int numberEnd;
  private int seqEnd;
  private long number;
  private long seq;
  private byte[] time = {};
  private String sender = "";
  private String type = "";

  /** Takes note of a line that {@code out} holds from {@code from} on, up to its payload. */
  void remember(
      JsonBytes out,
      int from,
      int numberEnd,
      int seqEnd,
      long number,
      long seq,
      byte[] time,
      Message message) {
    length = out.length() - from;
    if (length > bytes.length) {
      bytes = new byte[2 * length];
    }
    System.arraycopy(out.array(), from, bytes, 0, length);
    this.numberEnd = numberEnd - from;
    this.seqEnd = seqEnd - from;
    this.number = number;
    this.seq = seq;
    this.time = time;
    this.sender = message.sender();
    this.type = message.type();
  }

  /**
   * Writes the beginning of the next line, if it is like the last one's; false if not, and then
   * nothing is written and the next is to be remembered.
   */
  boolean writeNext(JsonBytes out, long number, long seq, byte[] time, Message message) {
    boolean isNext =
        Arrays.equals(time, this.time)
            && number == this.number + 1
            && seq == this.seq + 1
            && message.type().equals(type)
            && message.sender().equals(sender)
            && countOn(numberEnd)
            && countOn(seqEnd);
    if (isNext) {
      this.number = number;
      this.seq = seq;
      out.raw(bytes, 0, length);
    }
    return isNext;
  }

  /** Adds 1 to the digits before {@code end}; false if it takes one digit more. */
  private boolean countOn(int end) {
    int i = end - 1;
    while (bytes[i] == '9') {
      bytes[i--] = '0';
    }
    boolean isDigit = bytes[i] >= '0' && bytes[i] < '9';
    bytes[i]++;
    return isDigit;
  }
}
