package dev.parley.orchestration.loop;

import dev.parley.coordination.Team;
import dev.parley.coordination.bulletin.BulletinPage;
import dev.parley.coordination.bulletin.BulletinSelection;
import dev.parley.coordination.bulletin.Bulletins.Listed;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The notices and leases of a bus, as one session there sees them.
 *
 * @param bulletin the bulletin to read and post to
 * @param board another tool's folder with the same content; null if there is none
 */
public record BusWorkers(
    Team team,
    Session session,
    String bulletin,
    Map<String, String> variables,
    @Nullable BoardMirror board)
    implements OtherWorkers {
  public BusWorkers {
    variables = Map.copyOf(variables);
  }

  public BusWorkers(Team team, Session session, String bulletin, Map<String, String> variables) {
    this(team, session, bulletin, variables, null);
  }

  /** The notices by others; a worker need not be told its own. */
  @Override
  public List<String> notices(int cap) {
    exchange();
    List<Listed> peers =
        team.bulletins().notices(bulletin).stream()
            .filter(listed -> !listed.notice().authors().equals(List.of(session.name())))
            .toList();
    String rest = "parley bulletin read --all --wave " + bulletin;
    return peers.isEmpty()
        ? List.of()
        : BulletinPage.of(bulletin, peers, cap, BulletinSelection.BUDGET, rest);
  }

  @Override
  public void post(String answer) {
    var _ = team.bulletins().scan(session, bulletin, answer);
    exchange();
  }

  private void exchange() {
    if (board != null) {
      var _ = board.exchange();
    }
  }

  @Override
  public List<String> leasedByOthers(List<String> paths) {
    List<String> found = new ArrayList<>();
    List<Lease> leases = team.ledger().look(ledger -> List.copyOf(ledger.leases().all()));
    for (String path : paths) {
      PathPattern exact = PathPattern.of(PathPattern.quote(path));
      for (Lease lease : leases) {
        if (!lease.holder().equals(session.name()) && lease.touches(exact)) {
          found.add(path + " is leased by " + lease.holder());
        }
      }
    }
    return found;
  }
}
