package dev.parley.orchestration.task;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.IntConsumer;

/**
 * Copies a command's output byte for byte, and detects lines of the form {@code PROGRESS 40}, in
 * percent.
 */
final class ProgressLines {
  private static final byte[] WORD = {'P', 'R', 'O', 'G', 'R', 'E', 'S', 'S', ' '};
  private static final int MOST_DIGITS = 3;

  private final IntConsumer progress;

  /** How many bytes of the line match; -1 after a mismatch. */
  private int matched;

  private int digits;
  private int value;

  ProgressLines(IntConsumer progress) {
    this.progress = progress;
  }

  /** Copies until the end. */
  void pass(InputStream from, OutputStream to) throws IOException {
    byte[] bytes = new byte[8192];
    for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
      to.write(bytes, 0, count);
      to.flush();
      for (int i = 0; i < count; i++) {
        see(bytes[i]);
      }
    }
    endLine();
  }

  private void see(byte next) {
    if (next == '\n') {
      endLine();
    } else if (matched < 0 || next == '\r' || (next == '%' && digits > 0)) {
      return;
    } else if (matched < WORD.length) {
      matched = next == WORD[matched] ? matched + 1 : -1;
    } else if (next >= '0' && next <= '9' && digits < MOST_DIGITS) {
      value = value * 10 + next - '0';
      digits++;
    } else {
      matched = -1;
    }
  }

  private void endLine() {
    if (matched == WORD.length && digits > 0 && value <= 100) {
      progress.accept(value);
    }
    matched = 0;
    digits = 0;
    value = 0;
  }
}
