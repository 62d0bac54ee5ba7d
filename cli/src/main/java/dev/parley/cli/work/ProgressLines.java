package dev.parley.cli.work;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.IntConsumer;

/**
 * Passes on what a command prints, byte for byte, and notices lines of the form {@code PROGRESS
 * 40}: how far it is, in percent.
 */
final class ProgressLines {
  private static final byte[] WORD = {'P', 'R', 'O', 'G', 'R', 'E', 'S', 'S', ' '};
  private static final int MOST_DIGITS = 3;

  private final IntConsumer progress;

  /** How far the line fits; -1 once it does not. */
  private int matched;

  private int digits;
  private int value;

  ProgressLines(IntConsumer progress) {
    this.progress = progress;
  }

  /** Passes on until there is no more. */
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
