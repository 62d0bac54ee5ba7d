package dev.parley.cli.guard;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Task;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Trailers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds trailers with the run and the task to a commit message. */
final class MessageTrailers {
  private MessageTrailers() {}

  /**
   * Adds missing trailers.
   *
   * @param words git's arguments for the hook: the file of the message first
   */
  static void add(Invocation invocation, List<String> words) {
    String run = invocation.shell().variable("PARLEY_RUN");
    String task = invocation.shell().variable("PARLEY_TASK");
    if (task == null) {
      task = claimed(invocation);
    }
    if (words.isEmpty() || (run == null && task == null)) {
      return;
    }
    List<String> command =
        new ArrayList<>(List.of("interpret-trailers", "--in-place", "--if-exists", "doNothing"));
    trailer(command, Trailers.RUN, run);
    trailer(command, Trailers.TASK, task);
    command.add(words.getFirst());
    var _ = Git.inHook(invocation.shell().folder()).run(command.toArray(String[]::new));
  }

  private static void trailer(List<String> command, String key, @Nullable String value) {
    if (value != null && value.matches("[A-Za-z0-9._/-]{1,200}")) {
      command.add("--trailer");
      command.add(key + ": " + value);
    }
  }

  /** The committer's only claimed task; null if there are none or several. */
  private static @Nullable String claimed(Invocation invocation) {
    CommandContext context = CommandContext.open(invocation);
    Session session = context.existingSession();
    if (session == null) {
      return null;
    }
    List<Task> own = context.team().ledger().look(ledger -> ledger.tasks().of(session.id()));
    return own.size() == 1 ? own.getFirst().id() : null;
  }
}
