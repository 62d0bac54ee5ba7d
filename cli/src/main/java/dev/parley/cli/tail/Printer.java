package dev.parley.cli.tail;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.core.Envelope;
import java.util.function.UnaryOperator;

/** Prints envelopes: as stored for programs, as text for people. */
public final class Printer {
  private final Output out;
  private final EnvelopeText text;
  private final UnaryOperator<Envelope> shown;
  private boolean isUnused = true;

  private Printer(Output out, EnvelopeText text, UnaryOperator<Envelope> shown) {
    this.out = out;
    this.text = text;
    this.shown = shown;
  }

  public static Printer of(Invocation invocation) {
    return of(invocation, envelope -> envelope);
  }

  /**
   * Prints what may be shown of each envelope.
   *
   * @param shown removes what must not be shown
   */
  public static Printer of(Invocation invocation, UnaryOperator<Envelope> shown) {
    Output out = invocation.out();
    boolean cut = out.isTerminal() && !out.isJson();
    int width = cut ? invocation.shell().devices().width() : Integer.MAX_VALUE;
    return new Printer(out, new EnvelopeText(out, Times.system(), width), shown);
  }

  public void print(Envelope stored) {
    Envelope envelope = shown.apply(stored);
    isUnused = false;
    if (!out.isJson()) {
      out.line(text.of(envelope));
    } else {
      out.line(envelope.toLine());
    }
  }

  /** Whether nothing was printed. */
  boolean isUnused() {
    return isUnused;
  }

  public void flush() {
    out.flush();
  }
}
