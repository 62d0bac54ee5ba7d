package dev.parley.coordination.fold;

import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** What may stand in lines about leases, tasks and waits, whether or not it makes sense. */
final class HostileWork {
  private static final List<String> TYPES =
      List.of(
          "lease.request",
          "lease.request",
          "lease.request",
          "lease.request",
          "lease.accept",
          "lease.renew",
          "lease.release",
          "lease.cancel",
          "lease.break",
          "lease.report",
          "task.add",
          "task.add",
          "task.claim",
          "task.claim",
          "task.next",
          "task.progress",
          "task.block",
          "task.done",
          "task.fail",
          "task.release",
          "task.retry",
          "task.cancel",
          "wait.begin",
          "wait.begin",
          "wait.report",
          "wait.end");

  private final Random random;
  private final Supplier<Json> junk;

  /**
   * @param junk something of another kind than is expected
   */
  HostileWork(Random random, Supplier<Json> junk) {
    this.random = random;
    this.junk = junk;
  }

  String type() {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  private boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  @SafeVarargs
  private <T> T any(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /**
   * Fills in what such a line says.
   *
   * @param position where the last line ends: what is named stands near it
   */
  void fill(String type, Json.ObjectBuilder payload, long position) {
    long near = chance(20) ? random.nextLong() : position - random.nextInt(30);
    String task = "t" + (position / 150 + random.nextInt(8));
    switch (type) {
      case "lease.request", "lease.report" -> request(payload, task);
      case "lease.accept", "lease.cancel" -> payload.put("request", near);
      case "lease.renew" -> payload.put("token", near).put("ttl", seconds());
      case "lease.release" -> payload.put("token", near).put("paths", chance(2) ? paths() : NONE);
      case "lease.break" -> payload.put("token", near).put("reason", any("", "why", "\n"));
      case "task.add" -> plan(payload, task, position);
      case "task.next" -> payload.put("can", words()).put("ttl", seconds());
      case "wait.begin", "wait.report" ->
          payload
              .put("for", target(task))
              .put("timeout", seconds())
              .put("tree", tree())
              .put("later", chance(2));
      case "wait.end" -> payload.put("wait", near);
      default -> said(type, payload.put("task", chance(40) ? junk.get() : Json.of(task)), task);
    }
  }

  private static final Json NONE = Json.of(List.of());

  private Json seconds() {
    return chance(20) ? junk.get() : Json.of(any(-1L, 0L, 1L, 20L, 90L, 600L, Long.MAX_VALUE));
  }

  private Json tree() {
    return chance(20) ? junk.get() : Json.of(any("", "", "one", "two"));
  }

  private Json words() {
    return chance(20)
        ? junk.get()
        : Json.ofStrings(any(List.of(), List.of("a"), List.of("a", "b")));
  }

  private Json paths() {
    if (chance(15)) {
      return chance(2) ? junk.get() : Json.ofStrings(List.of("a", Seed.nastyText(random, 9)));
    }
    String one = any("a", "src/", "src/a", "src/**/x", "*", "{a,b}/c", "docs/[a-c]*");
    return Json.ofStrings(chance(2) ? List.of(one) : List.of(one, any("b", "src/b", "lib/?")));
  }

  private void request(Json.ObjectBuilder payload, String task) {
    payload.put("paths", paths()).put("tree", tree()).put("ttl", seconds());
    payload.put("shared", chance(2)).put("repo", chance(6));
    if (chance(2)) {
      payload.put("wait", seconds()).put("offer", seconds());
    }
    if (chance(2)) {
      payload.put("task", task);
    }
  }

  private void plan(Json.ObjectBuilder payload, String task, long position) {
    List<String> after = any(List.of(), List.of("t" + position / 150), List.of(task + "x", "t9"));
    payload
        .put("task", chance(30) ? junk.get() : Json.of(task))
        .put("title", Seed.nastyText(random, 9))
        .put("after", chance(30) ? junk.get() : Json.ofStrings(chance(2) ? List.of() : after))
        .put("later", chance(2))
        .put("needs", words())
        .put("priority", any("high", "LOW", "odd"))
        .put("tries", any(1L, 2L, -3L, Long.MAX_VALUE));
  }

  private String target(String task) {
    return any("alice", "agent:bob", task, "task:" + task, "path:src/", "FILE_UNLOCK_a", "board:b");
  }

  private void said(String type, Json.ObjectBuilder payload, String task) {
    payload.put("note", Seed.nastyText(random, chance(30) ? 5_000 : 5));
    switch (type) {
      case "task.claim" -> payload.put("ttl", chance(2) ? seconds() : Json.NULL);
      case "task.progress" -> payload.put("progress", random.nextInt(300)).put("alive", chance(2));
      case "task.block" -> payload.put("on", target(task)).put("tree", tree());
      case "task.done" -> payload.put("commit", "abc").put("files", words());
      case "task.fail" -> payload.put("error", "why").put("recoverable", chance(2));
      case "task.cancel" -> payload.put("reason", any("", "not needed"));
      default -> payload.put("token", chance(9) ? junk.get() : Json.of(0));
    }
  }
}
