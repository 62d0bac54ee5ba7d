package dev.parley.orchestration.moderate;

import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.file.IndentedJson;
import dev.parley.dialects.gear.AgentMessage;
import dev.parley.orchestration.git.CommitExport;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.moderate.TaskProgress.PullRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;

/**
 * Gear's files in the target folder. Parley reads nothing from them; only the bus counts.
 *
 * <pre>
 * .moderator/state/project_&lt;id&gt;/project.json   the project, replaced whole
 * .moderator/state/project_&lt;id&gt;/logs.jsonl     a line for each message
 * .moderator/artifacts/task_&lt;task id&gt;/generated/   what was approved
 * </pre>
 *
 * <p>If a file can't be written, the project continues, and that is reported once.
 */
final class StateFiles {
  private final Path root;
  private final String project;
  private String trouble = "";

  StateFiles(Path target, String project) {
    this.root = target.resolve(".moderator");
    this.project = project;
  }

  Path state() {
    return root.resolve("state").resolve("project_" + project);
  }

  /** Why files could not be written; empty if they could. */
  String trouble() {
    return trouble;
  }

  /** Creates a folder below the root without following symbolic links. */
  private void folder(Path folder) throws IOException {
    for (Path each = root; ; each = each.resolve(each.relativize(folder).getName(0))) {
      if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(each);
      }
      if (each.equals(folder)) {
        return;
      }
    }
  }

  /** Copies the files of a finished task. */
  void artifacts(Git git, TaskProgress task, String commit) {
    Path folder = root.resolve("artifacts").resolve("task_" + task.task().id());
    try {
      folder(folder);
      CommitExport.files(git, commit, task.files(), folder.resolve("generated"));
    } catch (IOException e) {
      trouble = folder + " can't be written: " + e.getMessage();
    }
  }

  void project(ProjectRecord record) {
    try {
      folder(state());
      Path temporary = state().resolve(".project.json.tmp");
      Files.deleteIfExists(temporary);
      Files.writeString(
          temporary, IndentedJson.text(json(record), 0) + "\n", StandardOpenOption.CREATE_NEW);
      Files.move(
          temporary,
          state().resolve("project.json"),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      trouble = state() + " can't be written: " + e.getMessage();
    }
  }

  /** Rewrites the log of messages from the record. */
  void logs(ProjectRecord record) {
    StringBuilder text = new StringBuilder();
    record.messages().forEach(message -> text.append(line(message)).append('\n'));
    write(text.toString(), StandardOpenOption.TRUNCATE_EXISTING);
  }

  void log(AgentMessage message) {
    write(line(message) + "\n", StandardOpenOption.APPEND);
  }

  private void write(String text, StandardOpenOption how) {
    try {
      folder(state());
      Path file = state().resolve("logs.jsonl");
      Files.write(
          file,
          text.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS,
          how);
    } catch (IOException e) {
      trouble = state() + " can't be written: " + e.getMessage();
    }
  }

  private static Json line(AgentMessage message) {
    boolean error = message.messageType().equals("agent_error");
    return Json.object()
        .put("timestamp", message.timestamp())
        .put("level", error ? "ERROR" : "INFO")
        .put("component", "message_bus")
        .put("action", "message_sent")
        .put(
            "details",
            Json.object()
                .put("message_id", message.messageId())
                .put("message_type", message.messageType())
                .put("from_agent", message.fromAgent())
                .put("to_agent", message.toAgent())
                .put("correlation_id", message.correlationId())
                .put("payload", message.payload())
                .build())
        .put("task_id", message.text("task_id"))
        .put("event_type", message.messageType())
        .build();
  }

  private static Json json(ProjectRecord record) {
    List<TaskProgress> tasks = record.tasks();
    int current = 0;
    while (current < tasks.size() && tasks.get(current).state() == TaskProgress.State.COMPLETED) {
      current++;
    }
    TaskProgress improvement = record.improvement();
    return Json.object()
        .put("project_id", record.project())
        .put("requirements", record.requirements())
        .put("phase", record.phase().word())
        .put("tasks", Json.of(tasks.stream().map(StateFiles::json).toList()))
        .put("current_task_index", current)
        .put("improvement", improvement == null ? Json.NULL : json(improvement))
        .put("why", record.why())
        .put("written_at", Timestamps.format(Instant.now()))
        .build();
  }

  static Json json(TaskProgress task) {
    PullRequest request = task.request();
    Json.ObjectBuilder json =
        Json.object()
            .put("id", task.task().id())
            .put("description", task.task().description())
            .put("acceptance_criteria", Json.ofStrings(task.task().criteria()))
            .put("dependencies", Json.ofStrings(task.task().dependencies()))
            .put("status", task.state().status())
            .put("branch_name", request == null ? null : request.branch())
            .put("pr_url", request == null ? null : request.url());
    json =
        request == null
            ? json.put("pr_number", Json.NULL)
            : json.put("pr_number", request.number());
    return json.put("files_generated", Json.ofStrings(task.files()))
        .put("started_at", task.begun().isEmpty() ? null : task.begun())
        .put("completed_at", task.ended().isEmpty() ? null : task.ended())
        .put("error", task.why().isEmpty() ? null : task.why())
        .put("state", task.state().word())
        .put("iteration", task.iteration())
        .put("score", task.score())
        .put("blocking_issues", Json.ofStrings(task.blocking()))
        .build();
  }
}
