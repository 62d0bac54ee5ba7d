package dev.parley.cli.help;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.config.ConfigCommand;
import dev.parley.cli.help.PartialCommandLine.Candidate;
import dev.parley.cli.team.CommandContext;
import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.dialects.mount.Mounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The names on the current bus for completion: agents, tasks, boards, messages and topics. */
final class BusCompletions implements PartialCommandLine.Values {
  private final Invocation invocation;

  BusCompletions(Invocation invocation) {
    this.invocation = invocation;
  }

  /** Empty if there is no bus, or nothing of that kind. */
  @Override
  public List<Candidate> of(String kind) {
    try {
      return switch (kind) {
        case "agent", "agents", "to", "director", "who" ->
            ledger(ledger ->
                ledger.roster().names().stream()
                    .map(name -> new Candidate(name, "agent"))
                    .toList());
        case "task", "tasks" -> ledger(BusCompletions::tasks);
        case "what" -> {
          List<Candidate> all = new ArrayList<>(of("agent"));
          all.addAll(ledger(BusCompletions::tasks));
          yield all;
        }
        case "session", "board" ->
            team().boards().all().stream()
                .map(meeting -> new Candidate(meeting.id(), meeting.phase().name()))
                .toList();
        case "id" -> messages();
        case "sent" -> sent();
        case "setting" ->
            ConfigCommand.names().stream().map(name -> new Candidate(name, "setting")).toList();
        case "mount" -> mounts();
        case "run" -> below("runs.");
        case "wave" -> below("bulletin.");
        case "topic", "prefix" ->
            invocation.openedBus().log().topics(Prefix.ALL).stream()
                .map(topic -> new Candidate(topic.name(), "topic"))
                .toList();
        default -> List.of();
      };
    } catch (ParleyException e) {
      return List.of();
    }
  }

  private static List<Candidate> tasks(Ledger ledger) {
    return ledger.tasks().notDone().stream()
        .map(task -> new Candidate(task.plan().id(), task.plan().title()))
        .toList();
  }

  /** What topics are called below their first part. */
  private List<Candidate> below(String prefix) {
    return invocation.openedBus().log().topics(Prefix.ALL).stream()
        .map(Topic::name)
        .filter(name -> name.startsWith(prefix))
        .map(name -> new Candidate(name.substring(prefix.length()), ""))
        .toList();
  }

  private List<Candidate> mounts() {
    try (Mounts mounts = new Mounts(invocation.bus(), report -> {}, remark -> {})) {
      return mounts.list().stream()
          .map(mount -> new Candidate(mount.name(), mount.dialect().word()))
          .toList();
    }
  }

  private List<Candidate> sent() {
    Session session = CommandContext.open(invocation).existingSession();
    return session == null
        ? List.of()
        : team().mail(session).sent().stream()
            .map(sent -> new Candidate(sent.copy().id(), "to " + sent.copy().to()))
            .toList();
  }

  private Team team() {
    return invocation.openedBus().team();
  }

  private List<Candidate> ledger(Function<Ledger, List<Candidate>> look) {
    return team().ledger().look(look);
  }

  private List<Candidate> messages() {
    Session session = CommandContext.open(invocation).existingSession();
    return session == null
        ? List.of()
        : team().mail(session).inbox(MailFilter.ANY).stream()
            .map(letter ->
                new Candidate(
                    letter.entry().id(),
                    "from " + letter.entry().from() + ": " + letter.content().subject()))
            .toList();
  }
}
