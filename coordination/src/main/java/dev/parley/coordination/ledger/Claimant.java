package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Task;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent that asks for a task, and the terms of its claim.
 *
 * @param can abilities beside those that it joined with
 * @param tree the working tree that it will work in
 * @param cover the working trees in which it needs the task's files; null for the bus's setting
 * @param takesFiles whether the claim leases the task's files
 */
public record Claimant(
    String name,
    String session,
    List<String> can,
    String tree,
    @Nullable LeaseScope cover,
    boolean takesFiles) {

  static Claimant of(Request request) {
    Fields payload = request.payload();
    Json repo = payload.json("repo");
    LeaseScope cover =
        repo == null ? null : repo.isTrue() ? LeaseScope.REPOSITORY : LeaseScope.TREE;
    Json files = payload.json("files");
    return new Claimant(
        request.name(),
        request.session(),
        payload.texts("can"),
        payload.text("tree", ""),
        cover,
        files == null || files.isTrue());
  }

  /** The fields that these terms add to the envelope of a claim. */
  public Json.ObjectBuilder write() {
    Json.ObjectBuilder json = Json.object();
    if (!can.isEmpty()) {
      json.put("can", Json.ofStrings(can));
    }
    if (!tree.isEmpty()) {
      json.put("tree", tree);
    }
    if (cover != null) {
      json.put("repo", cover == LeaseScope.REPOSITORY);
    }
    return takesFiles ? json : json.put("files", false);
  }

  /**
   * The lease terms that it needs for a task; null if the task names no files.
   *
   * @param usual the bus's setting, for terms without a cover
   */
  @Nullable LeaseTerms files(Task task, LeaseScope usual) {
    boolean everywhere = (cover == null ? usual : cover) == LeaseScope.REPOSITORY;
    return takesFiles ? terms(task, name, session, tree, everywhere) : null;
  }

  /** The terms on which the claim of a task holds the task's files; null if it holds none. */
  static @Nullable LeaseTerms filesOf(Task task) {
    Claim.Files files = task.claim().files();
    String owner = task.owner();
    String session = task.session();
    return files == null || owner == null || session == null
        ? null
        : terms(task, owner, session, files.tree(), files.repo());
  }

  private static @Nullable LeaseTerms terms(
      Task task, String name, String session, String tree, boolean everywhere) {
    List<PathPattern> paths = new ArrayList<>();
    for (String file : task.plan().files()) {
      PathPattern pattern = PathPattern.find(file);
      if (pattern != null && !paths.contains(pattern)) {
        paths.add(pattern);
      }
    }
    return paths.isEmpty()
        ? null
        : new LeaseTerms(
            name,
            session,
            List.copyOf(paths),
            false,
            tree,
            everywhere,
            LeaseTerms.MOST_TTL,
            task.id());
  }
}
