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
 * The state of a loop at the beginning of an iteration: everything needed to resume there.
 *
 * @param branch the loop's branch
 * @param start the branch's commit at the beginning
 * @param iterations how many have failed so far
 * @param head the branch's current commit
 * @param tree the git tree of the files on top of that
 * @param gate the gate that failed last; empty at first
 * @param exit its exit code
 * @param hash of its failure; empty at first
 * @param same how often that failure came in a row
 * @param shifts how often another approach was asked for
 * @param resumes how often the loop was resumed
 * @param failure the digest of the gate's output, which the bus keeps; empty at first
 * @param attempts the iterations' results, as in the state file
 * @param remarks remarks for people
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

  /** The state after one more failed iteration. */
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

  /** The line of the log with this state. */
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
   * The last recorded state of a loop.
   *
   * @param progress null if no iteration has begun
   * @param checked the head+tree that the last gate of the current iteration checked and passed
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
