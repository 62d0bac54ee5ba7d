package dev.parley.dialects.sync;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.mail.ForeignMailProxy;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.dialects.file.FileRemark;
import dev.parley.filelog.ImportLimits;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A mount's view of the bus, for dialects that share more than messages with it.
 *
 * @param mount the mount's name
 * @param topic the topic of its messages
 * @param limits how large messages of the files may be
 * @param state the folded notes of its passes, always current
 */
public record BusAccess(
    String mount,
    Topic topic,
    Log log,
    ImportLimits limits,
    LedgerOwner owner,
    ForeignMailProxy deputy,
    Supplier<MirrorState> state,
    Consumer<FileRemark> remarks) {

  /** The session that acts on the bus for an agent of the files. */
  public Session standIn(String agent) {
    return new Sessions(owner).standIn(mount, agent);
  }

  /** Whether this agent was never on the bus itself. */
  public boolean isElsewhere(String agent) {
    return owner.look(ledger -> ledger.roster().isElsewhere(agent));
  }

  /** Notes what the files know outside a pass; a null value removes the note. */
  public void tell(Map<String, @Nullable String> about) {
    SyncNotes notes = new SyncNotes();
    notes.tell(about);
    notes.appendTo(log, mount);
  }

  /** Whether a session stands for an agent of these files. */
  public boolean isOurs(String name, String session) {
    return AgentName.isValid(name) && Session.mounted(mount, name).id().equals(session);
  }

  /** The line of the ledger after a position; null if there is none. */
  public @Nullable Envelope ledgerLine(long after) {
    return log.next(Ledger.TOPIC, new Position(after)).orElse(null);
  }
}
