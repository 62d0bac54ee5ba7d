package dev.parley.orchestration.consensus;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a consensus is to do; all of it is in the run's parameters, so that it can be done again.
 *
 * @param agents who analyses, in the order in which they are tried as chairman
 * @param subject what it is about, as every prompt shows it
 * @param title one line about the subject, for people
 * @param rounds of debate; 0 for none
 * @param named whether agents see each other's names
 * @param seed of the draw of labels and orders
 * @param folder where programs work
 */
public record ConsensusPlan(
    Mode mode,
    List<String> agents,
    String subject,
    String title,
    int rounds,
    boolean named,
    long seed,
    Path folder,
    Duration analysisTime,
    Duration debateTime,
    Duration synthesisTime) {
  /** The most rounds of a debate: more rounds do harm. */
  public static final int MOST_ROUNDS = 2;

  public ConsensusPlan {
    agents = List.copyOf(agents);
  }

  /** The most asks it takes: every agent may have to be tried as chairman. */
  public int mostAsks() {
    return agents.size() * (1 + rounds) + agents.size();
  }

  /**
   * The parameters of a run.
   *
   * @param subject the digest of the content that holds the subject
   */
  public Json parameters(String subject) {
    return Json.object()
        .put("mode", mode.word())
        .put("agents", Json.ofStrings(agents))
        .put("subject", subject)
        .put("title", title)
        .put("rounds", rounds)
        .put("named", named)
        .put("seed", seed)
        .put("folder", folder.toString())
        .put("analysisMillis", analysisTime.toMillis())
        .put("debateMillis", debateTime.toMillis())
        .put("synthesisMillis", synthesisTime.toMillis())
        .build();
  }

  /** The digest of the subject in a run's parameters. */
  public static String subject(Json parameters) {
    return Fields.of(parameters).text("subject", "");
  }

  /** The plan in a run's parameters. */
  public static ConsensusPlan of(Json parameters, String subject) {
    Fields fields = Fields.of(parameters);
    return new ConsensusPlan(
        Mode.CODE_REVIEW.word().equals(fields.text("mode"))
            ? Mode.CODE_REVIEW
            : Mode.GENERAL_PROMPT,
        fields.texts("agents"),
        subject,
        fields.text("title", ""),
        (int) fields.number("rounds", 0),
        fields.flag("named"),
        fields.number("seed", 0),
        Path.of(fields.text("folder", "")),
        Duration.ofMillis(fields.number("analysisMillis", 0)),
        Duration.ofMillis(fields.number("debateMillis", 0)),
        Duration.ofMillis(fields.number("synthesisMillis", 0)));
  }
}
