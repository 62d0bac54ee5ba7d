package dev.parley.orchestration.loop;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The evidence of a loop's current iteration, and remarks for people; both go to the bus. */
final class LoopEvidence {
  private final Run run;
  private final String task;
  private final List<Evidence> kept = new ArrayList<>();
  private final List<String> remarks;

  LoopEvidence(Run run, String task, List<String> remarks) {
    this.run = run;
    this.task = task;
    this.remarks = new ArrayList<>(remarks);
  }

  /** A new iteration begins. */
  void clear() {
    kept.clear();
  }

  List<Evidence> kept() {
    return List.copyOf(kept);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** Keeps a remark, once. */
  void remark(String text) {
    if (!remarks.contains(text)) {
      remarks.add(text);
      run.tell(task + ": " + text);
    }
  }

  /** Keeps the evidence of a gate, and returns it. */
  Evidence keep(Evidence said, int iteration) {
    kept.add(said);
    Json line =
        Json.object()
            .put("task", task)
            .put("iteration", iteration)
            .put("evidence", said.json())
            .build();
    run.say(LoopTypes.GATE, line);
    run.folder()
        .append(
            String.format(Locale.ROOT, "artifacts/gates-%s.txt", task),
            "=== iteration " + iteration + ": " + said.summary() + " ===\n" + said.output() + "\n");
    if (!said.gate().equals(Loop.IMPLEMENT)) {
      run.tell(task + ": " + said.summary());
    }
    return said;
  }
}
