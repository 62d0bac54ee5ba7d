package dev.parley.orchestration.moderate;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.agent.Programs;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.gate.GateRun;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.moderate.answer.PullRequestSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pull requests on GitHub, by the program {@code gh}. Their messages are on the bus as well. */
final class GitHub implements PullRequests {
  private static final String PROGRAM = "gh";
  private static final String REMOTE = "origin";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern URL = Pattern.compile("https?://\\S+/pull/(\\d{1,9})");

  private final Run run;
  private final Git git;
  private final ProjectRecord record;

  GitHub(Run run, Git git, ProjectRecord record) {
    this.run = run;
    this.git = git;
    this.record = record;
  }

  /**
   * Checks that pull requests can be made.
   *
   * @throws ParleyException REFUSED if the program or a remote is missing
   */
  static void check(Git git, Map<String, String> environment) {
    if (Programs.onPath(PROGRAM, environment) == null) {
      throw ParleyException.refused(
          "no-gh",
          "The program gh was not found.",
          "Install it (https://cli.github.com), or leave --gh out.");
    }
    if (!git.attempt("remote", "get-url", REMOTE).ok()) {
      throw ParleyException.refused(
          "no-remote",
          "The repository has no remote " + REMOTE + " for pull requests.",
          "Add it: git remote add " + REMOTE + " <url>; or leave --gh out.");
    }
  }

  @Override
  public Opened open(ProjectTask task, long next, String branch, PullRequestSize size)
      throws InterruptedException {
    push(branch);
    Path gh = Programs.onPath(PROGRAM, run.context().environment());
    Evidence said =
        run(
            "pull-request",
            List.of(
                gh == null ? PROGRAM : gh.toString(),
                "pr",
                "create",
                "--base",
                record.branch(),
                "--head",
                branch,
                "--title",
                task.id() + ": " + task.title(),
                "--body",
                body(task, size)));
    Matcher url = URL.matcher(said.output());
    if (!url.find()) {
      throw failed("gh named no pull request: " + said.output().strip());
    }
    return new Opened(Long.parseLong(url.group(1)), url.group());
  }

  @Override
  public Opened update(PullRequest request, String head) throws InterruptedException {
    push(request.branch());
    return new Opened(request.number(), request.url());
  }

  private void push(String branch) throws InterruptedException {
    var _ =
        run(
            "push",
            List.of(
                "git",
                "-C",
                git.folder().toString(),
                "push",
                "--quiet",
                "--set-upstream",
                REMOTE,
                branch));
  }

  private Evidence run(String name, List<String> command) throws InterruptedException {
    Evidence said =
        new GateRun(git.folder(), run.variables(), run::isStopped)
            .run(new Gate(name, command, PATIENCE), "");
    if (!said.passed()) {
      throw failed(said.summary() + ": " + said.output().strip());
    }
    return said;
  }

  private static ParleyException failed(String why) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "no-pull-request",
        why + ".",
        "Try gh auth status and git push by hand, then go on: parley moderate --resume last.");
  }

  private static String body(ProjectTask task, PullRequestSize size) {
    StringBuilder text =
        new StringBuilder(task.description()).append("\n\n## Acceptance criteria\n\n");
    task.criteria().forEach(criterion -> text.append("- ").append(criterion).append('\n'));
    text.append("\n## Files\n\n");
    size.files().forEach(file -> text.append("- `").append(file).append("`\n"));
    return text.toString();
  }
}
