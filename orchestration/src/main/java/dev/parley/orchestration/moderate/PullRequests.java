package dev.parley.orchestration.moderate;

import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.moderate.answer.PullRequestSize;

/** The place where pull requests are made. */
interface PullRequests {
  /** The identity of a pull request. */
  record Opened(long number, String url) {}

  /**
   * Makes a pull request.
   *
   * @param next its number, unless the place assigns one
   */
  Opened open(ProjectTask task, long next, String branch, PullRequestSize size)
      throws InterruptedException;

  /** Reports that its branch has a new head. */
  Opened update(PullRequest request, String head) throws InterruptedException;

  /** On the bus alone: a pull request is just its message. */
  static PullRequests onTheBus(String project) {
    return new PullRequests() {
      @Override
      public Opened open(ProjectTask task, long next, String branch, PullRequestSize size) {
        return new Opened(next, "parley:" + project + "/pull/" + next);
      }

      @Override
      public Opened update(PullRequest request, String head) {
        return new Opened(request.number(), request.url());
      }
    };
  }
}
