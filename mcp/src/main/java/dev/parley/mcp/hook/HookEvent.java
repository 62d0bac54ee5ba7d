package dev.parley.mcp.hook;

import dev.parley.coordination.fold.Fields;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event that a host reports, before or after it happens.
 *
 * @param name the host's name of the event
 * @param session the host's id of the agent's session; empty if unknown
 * @param subAgent the host's id of the acting sub-agent; empty if it is the agent itself
 * @param folder where the agent works; null if unknown
 * @param paths the files that are about to be changed
 * @param again whether the host continues only because a hook asked for it
 */
public record HookEvent(
    Host host,
    Kind kind,
    String name,
    String session,
    String subAgent,
    @Nullable Path folder,
    List<String> paths,
    boolean again) {

  /** The meaning of an event, the same for all hosts. */
  public enum Kind {
    SESSION_START,
    PROMPT,
    BEFORE_TOOL,
    AFTER_TOOL,
    STOP,
    SUBAGENT_STOP,
    SESSION_END,
    /** The host wants a worktree, and works in what the hook makes. */
    WORKTREE_CREATE,
    WORKTREE_REMOVE,
    /** An event that needs no action. */
    OTHER
  }

  private static final Set<String> EDITS =
      Set.of(
          "edit",
          "write",
          "multiedit",
          "notebookedit",
          "apply_patch",
          "write_file",
          "replace",
          "patch",
          "edit_file",
          "delete_file",
          "search_replace");

  private static final Set<String> SHELLS = Set.of("bash", "shell");
  private static final List<String> PATH_FIELDS =
      List.of("file_path", "filePath", "notebook_path", "path", "target_file");

  /**
   * Parses a host's input, tolerantly.
   *
   * @param named the event, if it is not in the input
   */
  public static HookEvent of(Host host, @Nullable String named, Fields input) {
    String name = input.text("hook_event_name", named == null ? "" : named);
    String folder = input.text("cwd", first(input.texts("workspace_roots")));
    return new HookEvent(
        host,
        kind(name),
        name,
        input.text("session_id", input.text("conversation_id", "")),
        input.text("agent_id", ""),
        path(folder),
        paths(input.text("tool_name", ""), input.object("tool_input")),
        input.flag("stop_hook_active")
            || "true".equals(input.text("stop_hook_active"))
            || input.number("loop_count", 0) > 0);
  }

  private static String first(List<String> texts) {
    return texts.isEmpty() ? "" : texts.getFirst();
  }

  private static @Nullable Path path(String text) {
    try {
      return text.isEmpty() ? null : Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static Kind kind(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "")) {
      case "sessionstart" -> Kind.SESSION_START;
      case "userpromptsubmit", "beforeagent", "beforesubmitprompt" -> Kind.PROMPT;
      case "pretooluse", "beforetool", "toolexecutebefore" -> Kind.BEFORE_TOOL;
      case "posttooluse", "posttoolbatch", "aftertool", "afterfileedit" -> Kind.AFTER_TOOL;
      case "stop", "afteragent" -> Kind.STOP;
      case "subagentstop" -> Kind.SUBAGENT_STOP;
      case "sessionend" -> Kind.SESSION_END;
      case "worktreecreate" -> Kind.WORKTREE_CREATE;
      case "worktreeremove" -> Kind.WORKTREE_REMOVE;
      default -> Kind.OTHER;
    };
  }

  private static List<String> paths(String tool, Fields input) {
    String name = tool.toLowerCase(Locale.ROOT);
    String command = input.text("command", input.text("patch", input.text("patchText", "")));
    if (SHELLS.contains(name)) {
      return PatchPaths.inCommand(command);
    }
    if (!EDITS.contains(name)) {
      return List.of();
    }
    for (String field : PATH_FIELDS) {
      String path = input.text(field, "");
      if (!path.isEmpty()) {
        return List.of(path);
      }
    }
    return PatchPaths.in(command);
  }
}
