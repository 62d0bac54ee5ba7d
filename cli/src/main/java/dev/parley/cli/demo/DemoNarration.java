package dev.parley.cli.demo;

import dev.parley.cli.tail.Lanes;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.text.Event;
import dev.parley.text.Narration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the demo's envelopes in words. The text depends on the bus alone, so the story can be told
 * again from the bus that is left.
 */
final class DemoNarration {
  /** The topic of the demo's own events. */
  static final String TOPIC = "demo";

  private final Narration narration = new Narration(time -> Times.system().clock(time));

  /** The lanes of all agents, so that every part of the story looks the same. */
  static Lanes lanes(Output out) {
    List<String> cast = new ArrayList<>(DemoStory.CAST);
    cast.add("human");
    return new Lanes(out, cast, true, false);
  }

  /** The result of the story up to the envelope told last. */
  List<String> summary() {
    return Summary.lines(narration.tasks(), narration.boards());
  }

  /** The events of an envelope; often none. The envelopes of one topic must come in order. */
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
