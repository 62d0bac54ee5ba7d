package dev.parley.cli.guard;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.text.Explanation;
import dev.parley.text.NextSteps;
import java.io.IOException;
import java.util.List;

/** Installs git hooks that check commits against leases; the hooks call this command too. */
public final class GuardCommand implements Command {
  private static final Parameter ACTION =
      Parameter.required("action", "install, or the hook that calls")
          .choices(
              "install",
              "pre-commit",
              "pre-merge-commit",
              "pre-applypatch",
              "prepare-commit-msg",
              "pre-push");
  private static final Parameter WORDS =
      Parameter.optional("word", "what git gives the hook").repeated();
  private static final Option UNDO =
      Option.flag("--undo", "take the hooks away, and put back those that were there");
  private static final Option STRICT =
      Option.flag("--strict", "refuse a commit also when it can't be checked; stays until --undo");

  @Override
  public Description description() {
    return new Description(
        "guard",
        Group.CONNECT,
        "block commits of files that another agent holds",
        "install adds hooks to the git repository, for all its worktrees; hooks that are already"
            + " there run first. Run it again after an upgrade. install --undo removes them. A"
            + " commit, merge, git am or push is refused if it changes paths that another agent"
            + " holds, or if its token has ended; the refusal names the holder and the time. Git"
            + " runs no hook for cherry-pick, revert, rebase and fast-forward; those are checked at"
            + " the push. prepare-commit-msg adds the trailers Parley-Run and Parley-Task. A commit"
            + " for a task (PARLEY_TASK) passes if the task's lease covers its paths. The committer"
            + " is identified as in every command; a commit without an agent's name counts as"
            + " human's. git commit --no-verify bypasses the guard. Edits through a shell are caught"
            + " only here.",
        List.of(ACTION, WORDS),
        List.of(UNDO, STRICT),
        List.of(
            "parley guard install",
            "parley guard install --strict",
            "parley guard install --undo"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    String action = String.valueOf(invocation.arguments().word(ACTION));
    return switch (action) {
      case "install" -> install(invocation);
      case "pre-push" ->
          guarded(
              invocation,
              () -> CommitCheck.pushed(invocation),
              "Wait until the paths are free (parley lock <path> --wait 5m), then push again. To"
                  + " bypass the guard: git push --no-verify.");
      case "pre-merge-commit" ->
          guarded(
              invocation,
              () -> CommitCheck.staged(invocation),
              "Take the merge back (git merge --abort), or wait (parley lock <path> --wait 5m), then"
                  + " git commit. To bypass the guard: --no-verify.");
      case "pre-applypatch" ->
          guarded(
              invocation,
              () -> CommitCheck.staged(invocation),
              "Take it back (git am --abort, or git rebase --abort), or wait (parley lock <path>"
                  + " --wait 5m), then git am --continue.");
      case "prepare-commit-msg" -> {
        List<String> words = invocation.arguments().words(WORDS);
        var _ =
            guarded(
                invocation,
                () -> {
                  MessageTrailers.add(invocation, words);
                  return List.of();
                },
                "");
        yield ExitCode.OK; // missing trailers are not worth a lost commit
      }
      default ->
          guarded(
              invocation,
              () -> CommitCheck.staged(invocation),
              "Unstage these paths (git restore --staged <path>), or wait: parley lock <path>"
                  + " --wait 5m. To bypass the guard: --no-verify.");
    };
  }

  private static int install(Invocation invocation) throws IOException {
    GitHooks hooks = GitHooks.of(invocation.shell().folder());
    boolean undo = invocation.arguments().has(UNDO);
    List<GitHooks.Change> changes =
        undo ? hooks.remove() : hooks.install(invocation.arguments().has(STRICT));
    Output out = invocation.out();
    for (GitHooks.Change change : changes) {
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("hook", change.hook())
                .put("state", change.state())
                .put("file", change.file().toString())
                .build());
      } else {
        out.line(change.state() + " " + Printable.text(change.file().toString()));
      }
    }
    if (!out.isJson() && !undo) {
      out.line("Undo: parley guard install --undo");
    }
    return ExitCode.OK;
  }

  /** Returns one line for each path that must not be committed. */
  private interface Check {
    List<String> run() throws IOException;
  }

  private static int guarded(Invocation invocation, Check check, String next) {
    List<String> refused;
    try {
      refused = check.run();
    } catch (ParleyException e) {
      if (e.code().equals("no-bus")) {
        return ExitCode.OK; // nothing to guard
      }
      Explanation why = Explanation.of(e, NextSteps.SHELL, Timestamps::format);
      return failed(invocation, why.message() + " " + why.next());
    } catch (IOException | RuntimeException e) {
      return failed(invocation, e.toString());
    }
    if (refused.isEmpty()) {
      return ExitCode.OK;
    }
    refused.forEach(invocation.notices()::say);
    invocation.notices().line(next);
    return ExitCode.REFUSED;
  }

  /** What was to be checked is not known to be free, and not known to be held. */
  private static int failed(Invocation invocation, String why) {
    boolean strict = invocation.arguments().has(STRICT);
    invocation
        .notices()
        .say(
            (strict ? "guard: refused, because it can't be checked: " : "guard: nothing checked: ")
                + why);
    return strict ? ExitCode.REFUSED : ExitCode.OK;
  }
}
