package dev.parley.orchestration.ask;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.ParleyException;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;

/** Bus sessions of the agents in a run. */
public final class JoinedSession {
  private static final int MOST_NAMES = 2_000;

  private JoinedSession() {}

  /** Ends the sessions that a killed process of the run left: they would keep their names. */
  public static void endAll(Run run, String type) {
    WholeTopic.forEach(
        run.context().log(),
        RunRecord.topic(run.id()),
        envelope -> {
          if (envelope.type().equals(type)) {
            Fields fields = Fields.of(envelope.payload());
            run.context()
                .team()
                .sessions()
                .end(fields.text("agent", ""), fields.text("session", ""), "its run was killed");
          }
        });
  }

  /**
   * Begins a session. If the name is taken, a number is added to it.
   *
   * @param type of the line that tells a resumed run which session to end
   */
  public static Session of(Run run, String name, String type) {
    for (int number = 1; ; number++) {
      Session session = Session.begin(number == 1 ? name : name + "." + number);
      run.say(
          type, Json.object().put("agent", session.name()).put("session", session.id()).build());
      try {
        var _ = run.context().team().sessions().join(session, Sessions.Profile.NONE);
        return session;
      } catch (ParleyException e) {
        if (e.kind() != ParleyException.Kind.REFUSED || number > MOST_NAMES) {
          throw e;
        }
      }
    }
  }
}
