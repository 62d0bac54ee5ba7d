package dev.parley.cli.demo;

import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.task.Plan;
import java.util.List;
import java.util.Random;

/**
 * What the story of the demo is about. The same seed tells the same story.
 *
 * @param project what the five agents build
 * @param shared the file that two of them need
 * @param guide the file that one of them writes
 * @param discovery what one finds out that saves another its work
 * @param question what one asks another
 * @param dissenter who votes against it in the end
 * @param dissent and why
 */
record DemoStory(
    String project,
    String shared,
    String guide,
    String discovery,
    String question,
    String answer,
    String dissenter,
    String dissent) {

  static final String LEAD = "lead";
  static final String ANN = "ann";
  static final String BEN = "ben";
  static final String CLEO = "cleo";

  /** The agent that is killed. */
  static final String DAN = "dan";

  static final List<String> CAST = List.of(LEAD, ANN, BEN, CLEO, DAN);

  /** The agents that vote at the end. */
  static final List<String> BOARD = List.of(LEAD, ANN, BEN, CLEO);

  static final String WAVE = "wave-1";

  /** The progress at which the agent is killed, in percent. */
  static final int HALF_WAY = 40;

  static DemoStory of(long seed) {
    Random random = new Random(seed);
    String dissenter = List.of(ANN, BEN, CLEO).get(random.nextInt(3));
    return switch (random.nextInt(3)) {
      case 0 ->
          new DemoStory(
              "plugins for the editor",
              "src/config.toml",
              "docs/guide.md",
              "the platform reads TOML: no parser is needed",
              "Which keys must be there?",
              "name and version; the rest has defaults.",
              dissenter,
              "nobody has tried it on Windows");
      case 1 ->
          new DemoStory(
              "a cache for the build",
              "src/cache.conf",
              "docs/cache.md",
              "keys are content hashes already: no hashing is needed",
              "How long are entries kept?",
              "30 days, or until the disk is 80 % full.",
              dissenter,
              "there is no figure yet that shows it is faster");
      default ->
          new DemoStory(
              "sign-in with a key",
              "src/auth.properties",
              "docs/sign-in.md",
              "sessions have a store already: no table is needed",
              "What becomes of old passwords?",
              "They work until the first sign-in with a key.",
              dissenter,
              "losing the key locks people out");
    };
  }

  List<Plan> tasks() {
    return List.of(
        task("1.1", "Settings", List.of(shared), List.of()),
        task("1.2", "Core", List.of(shared), List.of()),
        task("1.3", "Guide", List.of(guide), List.of()),
        task("1.4", "Groundwork", List.of(), List.of()),
        task("1.5", "Checks", List.of(), List.of()),
        task("2.1", "All together", List.of(), List.of("1.1", "1.2", "1.3", "1.5")));
  }

  private static Plan task(String id, String title, List<String> files, List<String> after) {
    return new Plan(id, title, "", after, List.of(), files, List.of(), Priority.NORMAL, Plan.TRIES);
  }
}
