package dev.parley.coordination.task;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.text.UnicodeLetters;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description of a task, as it was added.
 *
 * @param after the tasks that must be done before
 * @param criteria what must be true when it is done
 * @param files the paths that it will change
 * @param needs the abilities that its owner must have
 * @param tries how often it may be tried
 */
public record Plan(
    String id,
    String title,
    String body,
    List<String> after,
    List<String> criteria,
    List<String> files,
    List<String> needs,
    Priority priority,
    int tries) {

  /** The default number of tries. */
  public static final int TRIES = 3;

  public static final int MOST_TRIES = 100;

  /** The most characters of a task's name. */
  public static final int LONGEST_ID = 100;

  /** The most dependencies, criteria, files or abilities of one task. */
  public static final int MOST_ITEMS = 256;

  public static Plan of(String id) {
    return new Plan(id, "", "", List.of(), List.of(), List.of(), List.of(), Priority.NORMAL, TRIES);
  }

  public static boolean isId(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST_ID
        && text.chars().allMatch(c -> (UnicodeLetters.isAscii(c) || "._-".indexOf(c) >= 0))
        && UnicodeLetters.isAscii(text.charAt(0));
  }

  /**
   * Checks that a task may have this name.
   *
   * @throws ParleyException INVALID if not
   */
  public static String checkId(String id) {
    if (!isId(id)) {
      throw ParleyException.invalid(
          "bad-task", Json.object().put("task", id).put("characters", LONGEST_ID));
    }
    return id;
  }

  /** The plan in a payload; null if its name or one of its sizes is not allowed. */
  static @Nullable Plan read(Fields payload) {
    String id = payload.text("task", "");
    List<String> after = payload.texts("after").stream().distinct().toList();
    List<String> criteria = payload.texts("criteria");
    List<String> files = payload.texts("files");
    List<String> needs = payload.texts("needs");
    boolean fits =
        isId(id)
            && after.stream().allMatch(Plan::isId)
            && List.of(after, criteria, files, needs).stream()
                .allMatch(list -> list.size() <= MOST_ITEMS);
    return !fits
        ? null
        : new Plan(
            id,
            payload.text("title", ""),
            payload.text("body", ""),
            after,
            criteria,
            files,
            needs,
            Priority.of(payload.text("priority")),
            Math.clamp(payload.number("tries", TRIES), 1, MOST_TRIES));
  }

  /** The fields of the envelope that adds the task. */
  public Json.ObjectBuilder write() {
    Json.ObjectBuilder json = Json.object().put("task", id);
    putText(json, "title", title);
    putText(json, "body", body);
    putAll(json, "after", after);
    putAll(json, "criteria", criteria);
    putAll(json, "files", files);
    putAll(json, "needs", needs);
    return json.put("priority", priority.word()).put("tries", tries);
  }

  private static void putText(Json.ObjectBuilder json, String key, String text) {
    if (!text.isEmpty()) {
      json.put(key, text);
    }
  }

  private static void putAll(Json.ObjectBuilder json, String key, List<String> texts) {
    if (!texts.isEmpty()) {
      json.put(key, Json.ofStrings(texts));
    }
  }
}
