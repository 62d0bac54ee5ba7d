package dev.parley.coordination.ledger.history;

import dev.parley.coordination.fold.Fold;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.Task;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds what each agent lost through one line of the ledger that moved the time too far. */
final class LossesByLine implements Fold {
  private final Ledger ledger = new Ledger();
  private final long line;
  private final Map<String, List<String>> byAgent = new TreeMap<>();
  private List<Lease> shortened = List.of();

  private LossesByLine(long line) {
    this.line = line;
  }

  static Fold.Kind<LossesByLine> kind(long line) {
    return new Fold.Kind<>() {
      @Override
      public String view() {
        return "losses";
      }

      @Override
      public List<Topic> topics() {
        return List.of(Ledger.TOPIC);
      }

      @Override
      public LossesByLine begin() {
        return new LossesByLine(line);
      }

      @Override
      public LossesByLine load(Json saved) {
        throw new UnsupportedOperationException("it is not saved");
      }
    };
  }

  @Override
  public void apply(Envelope envelope, Position before) {
    if (envelope.position().value() != line) {
      ledger.apply(envelope, before);
      return;
    }
    List<Lease> leases = List.copyOf(ledger.leases().all());
    List<Task> tasks =
        ledger.tasks().owners().stream()
            .flatMap(session -> ledger.tasks().of(session).stream())
            .toList();
    ledger.apply(envelope, before);
    for (Lease lease : leases) {
      if (ledger.leases().lease(lease.token()) == null) {
        note(lease.holder(), "your lock on " + paths(lease) + " (token " + lease.token() + ")");
      }
    }
    for (Task task : tasks) {
      Task after = ledger.tasks().task(task.id());
      if (after == null || after.session() == null) {
        note(task.owner(), "your claim of the task " + task.id());
      }
    }
    shortened =
        leases.stream().filter(lease -> ledger.leases().lease(lease.token()) != null).toList();
  }

  private static String paths(Lease lease) {
    return String.join(", ", lease.paths().stream().map(PathPattern::toString).toList());
  }

  private void note(@Nullable String agent, String what) {
    if (agent != null && AgentName.isValid(agent)) {
      byAgent.computeIfAbsent(agent, name -> new ArrayList<>()).add(what);
    }
  }

  /** What to tell each agent. */
  Map<String, List<String>> byAgent() {
    for (Lease lease : shortened) {
      if (ledger.leases().lease(lease.token()) != null) {
        note(lease.holder(), "(your lock on " + paths(lease) + " goes on, but ends sooner)");
      }
    }
    shortened = List.of();
    return byAgent;
  }

  @Override
  public Json save() {
    return Json.NULL;
  }
}
