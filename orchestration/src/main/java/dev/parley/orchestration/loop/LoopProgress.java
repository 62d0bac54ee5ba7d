package dev.parley.orchestration.loop;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Log;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a loop had come when an iteration began: all that is needed to go on from there.
 *
 * @param branch it works on
 * @param start where the branch stood at the beginning
 * @param iterations how many have failed by now
 * @param head where the branch stands
 * @param tree the files as they are, on top of that: the name of a tree of git's
 * @param gate the one that failed last; empty at first
 * @param exit its exit code
 * @param hash of its failure; empty at first
 * @param same how often that came in a row
 * @param shifts how often another way was asked for
 * @param resumes how often the loop was gone on with
 * @param failure the digest of what the gate said, under which the bus keeps it; empty at first
 * @param attempts what came of each iteration, as the state file has it
 * @param remarks what people should know
 */
record LoopProgress(
    String branch,
    String start,
    int iterations,
    String head,
    String tree,
    String gate,
    int exit,
    String hash,
    int same,
    int shifts,
    int resumes,
    String failure,
    List<Json> attempts,
    List<String> remarks) {
  LoopProgress {
    attempts = List.copyOf(attempts);
    remarks = List.copyOf(remarks);
  }

  static LoopProgress begin(String branch, String start, String tree) {
    return new LoopProgress(
        branch, start, 0, start, tree, "", 0, "", 0, 0, 0, "", List.of(), List.of());
  }

  LoopProgress at(String newHead, String newTree, List<String> allRemarks) {
    return new LoopProgress(
        branch,
        start,
        iterations,
        newHead,
        newTree,
        gate,
        exit,
        hash,
        same,
        shifts,
        resumes,
        failure,
        attempts,
        allRemarks);
  }

  LoopProgress resumed() {
    return new LoopProgress(
        branch,
        start,
        iterations,
        head,
        tree,
        gate,
        exit,
        hash,
        same,
        shifts,
        resumes + 1,
        failure,
        attempts,
        remarks);
  }

  /** An iteration more, that failed. */
  LoopProgress failed(Json attempt, String atGate, int code, String withHash, String said) {
    List<Json> all = new ArrayList<>(attempts);
    all.add(attempt);
    return new LoopProgress(
        branch,
        start,
        iterations + 1,
        head,
        tree,
        atGate,
        code,
        withHash,
        withHash.equals(hash) ? same + 1 : 1,
        shifts,
        resumes,
        said,
        all,
        remarks);
  }

  LoopProgress shifted() {
    return new LoopProgress(
        branch,
        start,
        iterations,
        head,
        tree,
        gate,
        exit,
        hash,
        same,
        shifts + 1,
        resumes,
        failure,
        attempts,
        remarks);
  }

  /** The line of the log that says it. */
  Json line(String task) {
    return Json.object()
        .put("task", task)
        .put("branch", branch)
        .put("start", start)
        .put("iterations", iterations)
        .put("head", head)
        .put("tree", tree)
        .put("gate", gate)
        .put("exit", exit)
        .put("hash", hash)
        .put("same", same)
        .put("shifts", shifts)
        .put("resumes", resumes)
        .put("failure", failure)
        .put("attempts", Json.of(attempts))
        .put("remarks", Json.ofStrings(remarks))
        .build();
  }

  private static LoopProgress read(Fields line) {
    return new LoopProgress(
        line.text("branch", ""),
        line.text("start", ""),
        (int) line.number("iterations", 0),
        line.text("head", ""),
        line.text("tree", ""),
        line.text("gate", ""),
        (int) line.number("exit", 0),
        line.text("hash", ""),
        (int) line.number("same", 0),
        (int) line.number("shifts", 0),
        (int) line.number("resumes", 0),
        line.text("failure", ""),
        line.items("attempts"),
        line.texts("remarks"));
  }

  /**
   * What the log says last of a loop.
   *
   * @param progress null if no iteration had begun
   * @param checked what the last gate of the iteration under way has looked at and passed:
   *     head+tree
   */
  record Last(@Nullable LoopProgress progress, String checked) {
    static Last of(Log log, String run, String task) {
      Last[] last = {new Last(null, "")};
      WholeTopic.forEach(
          log,
          new Topic("runs." + run),
          envelope -> {
            Fields fields = Fields.of(envelope.payload());
            if (!fields.text("task", "").equals(task)) {
              return;
            }
            if (envelope.type().equals(LoopTypes.ITERATION)) {
              last[0] = new Last(read(fields), "");
            } else if (envelope.type().equals(LoopTypes.GATE)) {
              Fields evidence = fields.object("evidence");
              boolean passed = evidence.flag("passed");
              last[0] = new Last(last[0].progress, passed ? evidence.text("commit", "") : "");
            }
          });
      return last[0];
    }
  }
}
