package dev.parley.orchestration.moderate;

import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.loop.LoopSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What scripted agents of a project say, in files that a test writes. */
final class ProjectScript {
  static final String APPROVED = review(25, 20, 18, 12, 10, "");

  private final Path folder;

  ProjectScript(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    says("decompose", tasks("Write one", "Write two"));
    says("improve", "{\"improvements\":[]}");
    says("review", APPROVED);
  }

  /** What the reviewer says at a stage; {@code review-3} at the third iteration only. */
  ProjectScript says(String stage, String words) throws IOException {
    Files.writeString(folder.resolve(stage), words);
    return this;
  }

  /** Two agents: one works by a script, the other says what is in the files. */
  void agents(Workshop workshop, String work) throws IOException {
    workshop.agent("worker", "prompt=$(cat)\n" + work);
    workshop.agent(
        "reviewer",
        """
        cd %s
        prompt=$(cat)
        i=$(echo "$prompt" | sed -n 's/^Review pull request #[0-9]*, iteration \\([0-9]*\\).*/\\1/p')
        if [ -f $PARLEY_STAGE-$i ]; then cat $PARLEY_STAGE-$i; else cat $PARLEY_STAGE; fi
        """
            .formatted(folder));
  }

  static String tasks(String... descriptions) {
    StringBuilder tasks = new StringBuilder();
    for (String description : descriptions) {
      tasks.append(tasks.isEmpty() ? "" : ",");
      tasks.append(
          "{\"description\":\"%s\",\"acceptance_criteria\":[\"it is there\"],\"estimated_hours\":1.5}"
              .formatted(description));
    }
    return "Here they are:\n```json\n{\"tasks\":[" + tasks + "]}\n```\n";
  }

  /** A review by its points in the order of the criteria, and more fields. */
  static String review(
      int quality, int tests, int security, int documentation, int acceptance, String more) {
    return """
    {"criteria_scores":{"code_quality":%d,"test_coverage":%d,"security":%d,"documentation":%d,
     "acceptance_criteria":%d},"acceptance":[{"criterion":1,"met":true}]%s}
    """
        .formatted(quality, tests, security, documentation, acceptance, more);
  }

  static ModerateSettings settings() {
    return settings(Map.of());
  }

  /** Settings for tests, some of them changed: respond (milliseconds), improve, iterations, … */
  static ModerateSettings settings(Map<String, Integer> changed) {
    return new ModerateSettings(
        "worker",
        "reviewer",
        changed.getOrDefault("iterations", 2),
        3,
        20,
        3,
        changed.getOrDefault("tasks", 5),
        LoopSettings.Times.DEFAULT,
        Duration.ofMillis(changed.getOrDefault("respond", 600_000)),
        List.of(),
        "",
        "",
        false,
        changed.getOrDefault("improve", 0) == 1,
        changed.getOrDefault("github", 0) == 1);
  }
}
