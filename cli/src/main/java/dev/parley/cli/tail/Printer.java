package dev.parley.cli.tail;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Times;
import dev.parley.core.Envelope;

/** Shows envelopes: as they are stored for programs, as text for people. */
public final class Printer {
  private final Output out;
  private final EnvelopeText text;

  private Printer(Output out, EnvelopeText text) {
    this.out = out;
    this.text = text;
  }

  public static Printer of(Invocation invocation) {
    Output out = invocation.out();
    boolean cut = out.isTerminal() && !out.isJson();
    int width = cut ? invocation.shell().devices().width() : Integer.MAX_VALUE;
    return new Printer(out, new EnvelopeText(out, Times.system(), width));
  }

  public void print(Envelope envelope) {
    if (!out.isJson()) {
      out.line(text.of(envelope));
    } else if (out.isTerminal()) {
      out.line(Printable.json(envelope.toString()));
    } else {
      out.line(envelope.toLine());
    }
  }

  public void flush() {
    out.flush();
  }
}
