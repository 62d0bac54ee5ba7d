package dev.parley.orchestration.moderate;

import dev.parley.orchestration.moderate.TaskProgress.PullRequest;

/** Where pull requests are made. */
interface PullRequests {
  /** What a pull request is known by. */
  record Opened(long number, String url) {}

  /**
   * Makes one.
   *
   * @param next its number, where nobody else gives one
   */
  Opened open(ProjectTask task, long next, String branch, PullRequestSize size)
      throws InterruptedException;

  /** Says that its branch has a new head. */
  Opened update(PullRequest request, String head) throws InterruptedException;

  /** On the bus alone: a pull request is the message that says so. */
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
