package dev.parley.coordination.ledger.history;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.core.AgentName;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.util.List;
import java.util.Map;

/** Mails agents what they lost through a wrong clock. A repeated notice sends one mail. */
public final class CorrectionNotices {
  private final Log log;
  private final Reporter reporter;

  public CorrectionNotices(Log log, Reporter reporter) {
    this.log = log;
    this.reporter = reporter;
  }

  /**
   * Mails every agent whose leases or claims ended with a line, or end sooner because of it.
   *
   * @param line the line whose clock was removed
   */
  public void tell(String sender, long line) {
    reporter.report(new Report.ClockCorrected(Ledger.TOPIC, new Position(line), sender));
    // The state does not keep what ended when, so the ledger is folded again.
    LossesByLine losses =
        new FoldReader<>(log, Views.inMemory(), report -> {}, LossesByLine.kind(line)).refresh();
    String where = new Position(line).in(Ledger.TOPIC);
    for (Map.Entry<String, List<String>> lost : losses.byAgent().entrySet()) {
      Json payload =
          Json.object()
              .put("subject", "A clock was wrong: look at what you hold")
              .put(
                  "body",
                  "The line "
                      + where
                      + " said that it was later than it was. "
                      + sender
                      + " noticed, and its clock counts no more. What ended by it stays ended: "
                      + String.join("; ", lost.getValue())
                      + ". Stop writing to what is not yours any more, and ask again.")
              .build();
      Topic mail = new Topic("mail." + new AgentName(lost.getKey()).topicPart());
      Message message =
          Message.builder(Bus.SYSTEM, LedgerTypes.CLOCK_CORRECTED)
              .payload(payload)
              .to(List.of(lost.getKey()))
              .key("clock:" + where)
              .automatic(true)
              .build();
      var _ = log.append(mail, message.withClock());
    }
  }
}
