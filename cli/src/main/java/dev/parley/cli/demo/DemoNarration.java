package dev.parley.cli.demo;

import dev.parley.cli.tail.Lanes;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.core.Envelope;
import dev.parley.text.Event;
import dev.parley.text.Narration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the envelopes of the demo tell, in words: a function of the bus and nothing else, so that
 * anybody can tell the story again from the bus that it left.
 */
final class DemoNarration {
  /** The topic of what only the demo says. */
  static final String TOPIC = "demo";

  private final Narration narration = new Narration(time -> Times.system().clock(time));

  /** Lanes for all who take part, so that any piece of the story looks the same. */
  static Lanes lanes(Output out) {
    List<String> cast = new ArrayList<>(DemoStory.CAST);
    cast.add("human");
    return new Lanes(out, cast, true, false);
  }

  /** The ledger as far as it was told. */
  Ledger ledger() {
    return narration.ledger();
  }

  /** What an envelope tells; often nothing. Those of one topic must come in their order. */
  List<Event> tell(Envelope envelope) {
    List<Event> events = narration.tell(envelope);
    if (!envelope.type().equals(DemoTypes.KILLED)) {
      return events;
    }
    String killed = Fields.of(envelope.payload()).text("agent", "");
    return List.of(
        new Event(
            envelope.sender(),
            "kills " + killed + " (SIGKILL)",
            true,
            envelope.type(),
            null,
            envelope.time(),
            envelope.position().in(envelope.topic())));
  }
}
