package dev.parley.mcp.tools;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds, claims and ends tasks. */
final class TaskTool {
  private static final int MOST_LISTED = 50;

  private final AgentContext context;

  TaskTool(AgentContext context) {
    this.context = context;
  }

  Tool tool() {
    return new Tool(
        "task",
        "Tasks of the team: next claims the first that is ready. End with done or fail.",
        Schema.of()
            .choice(
                "action",
                "",
                "next",
                "claim",
                "progress",
                "done",
                "fail",
                "release",
                "add",
                "show",
                "list")
            .text("task", "its id, such as 1.2")
            .text("title", "add")
            .text("body", "add: what to do")
            .texts("files", "add: paths it will change")
            .texts("after", "add: ids that must be done before")
            .number("percent", "progress")
            .text("note", "how it goes, or why it failed")
            .needs("action")
            .build(),
        false,
        this::answer);
  }

  private Reply answer(Call call) {
    Fields arguments = call.arguments();
    TaskList tasks = context.agent().tasks();
    String note = arguments.text("note");
    return switch (arguments.text("action", "")) {
      case "list" -> context.answer(list());
      case "show" -> context.answer(show(find(id(arguments))));
      case "next" -> claimed(tasks.next(TaskList.Terms.NONE));
      case "claim" -> claimed(tasks.claim(id(arguments), TaskList.Terms.NONE));
      case "add" -> {
        String state = tasks.add(plan(arguments), true);
        yield said(id(arguments), state, null);
      }
      case "progress" -> {
        long percent = arguments.number("percent", -1);
        tasks.progress(id(arguments), percent < 0 ? null : (int) Math.min(100, percent), note);
        yield said(id(arguments), "claimed", null);
      }
      case "done" -> {
        List<String> ready = tasks.done(id(arguments), null, List.of(), note);
        yield said(
            id(arguments),
            "done",
            ready.isEmpty() ? null : "Ready now: " + String.join(", ", ready));
      }
      case "fail" -> {
        boolean retry = tasks.fail(id(arguments), note == null ? "" : note, true).retry();
        yield said(id(arguments), "failed", retry ? "It can be tried again." : null);
      }
      case "release" -> {
        tasks.release(id(arguments), note);
        yield said(id(arguments), "ready", null);
      }
      default ->
          throw ParleyException.invalid(
              "unknown-action", "There is no such action.", "See the schema of task.");
    };
  }

  private Reply said(String task, String state, @Nullable String next) {
    Json.ObjectBuilder answer = Json.object().put("task", task).put("state", state);
    return context.answer((next == null ? answer : answer.put("next", next)).build());
  }

  private Reply claimed(TaskList.Claimed claimed) {
    Json.ObjectBuilder answer = Json.object().put("state", "claimed");
    show(find(claimed.task()))
        .fields()
        .forEach((key, value) -> {
          if (!key.equals("state") && !key.equals("owner")) {
            answer.put(key, value);
          }
        });
    return context.answer(answer.put("next", "Do it, then call task done or fail.").build());
  }

  private static String id(Fields arguments) {
    return Plan.checkId(arguments.text("task", ""));
  }

  private static Plan plan(Fields arguments) {
    return new Plan(
        id(arguments),
        arguments.text("title", ""),
        arguments.text("body", ""),
        arguments.texts("after"),
        List.of(),
        arguments.texts("files"),
        List.of(),
        Priority.NORMAL,
        Plan.TRIES);
  }

  private Task find(String id) {
    for (Task task : context.parley().tasks()) {
      if (task.id().equals(id)) {
        return task;
      }
    }
    throw ParleyException.refused(
        "unknown-task", "There is no such task.", "Call task with action list.");
  }

  private static Json.ObjectBuilder summary(Task task) {
    Json.ObjectBuilder json =
        Json.object().put("task", task.id()).put("state", task.state().word());
    if (!task.plan().title().isEmpty()) {
      json.put("title", task.plan().title()).put("by", task.addedBy());
    }
    return task.owner() == null ? json : json.put("owner", task.owner());
  }

  private static Json show(Task task) {
    Json.ObjectBuilder json = summary(task);
    Plan plan = task.plan();
    if (!plan.body().isEmpty()) {
      ModelMailJson.putCut(json, "body", plan.body(), ModelMailJson.MOST_WHOLE);
    }
    putAll(json, "files", plan.files());
    putAll(json, "criteria", plan.criteria());
    putAll(json, "after", plan.after());
    if (task.note() != null) {
      json.put("text", task.note());
    }
    return (plan.title().isEmpty() ? json.put("by", task.addedBy()) : json).build();
  }

  private static void putAll(Json.ObjectBuilder json, String key, List<String> texts) {
    if (!texts.isEmpty()) {
      json.put(key, Json.ofStrings(texts));
    }
  }

  /** The open tasks, and only the number of finished ones. */
  Json list() {
    List<Task> all = context.parley().tasks();
    List<Json> open =
        all.stream()
            .filter(task -> !task.state().isOver())
            .limit(MOST_LISTED)
            .map(task -> summary(task).build())
            .toList();
    return Json.object()
        .put("tasks", Json.of(open))
        .put("over", all.stream().filter(task -> task.state().isOver()).count())
        .build();
  }
}
