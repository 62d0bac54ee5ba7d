package dev.parley.mcp.hook;

import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a host's hook.
 *
 * @param refusal why the action must not happen; null if it may
 * @param goOn why the agent should not stop yet; null if it may
 * @param context text for the model; null if there is none
 */
public record HookAnswer(
    @Nullable String refusal, @Nullable String goOn, @Nullable String context) {
  /** An empty answer. */
  public static final HookAnswer NOTHING = new HookAnswer(null, null, null);

  /** Refuses the action. */
  public static HookAnswer refuse(String why) {
    return new HookAnswer(why, null, null);
  }

  static HookAnswer goOn(String why) {
    return new HookAnswer(null, why, null);
  }

  static HookAnswer context(@Nullable String text) {
    return text == null ? NOTHING : new HookAnswer(null, null, text);
  }

  /** The answer in the host's format. */
  public Json write(HookEvent event) {
    return switch (event.host()) {
      case CLAUDE, CODEX -> likeClaude(event.name());
      case GEMINI -> likeGemini(event.name());
      case CURSOR -> likeCursor();
      case OPENCODE -> plain();
    };
  }

  private Json likeClaude(String name) {
    if (refusal != null) {
      return specific(
          Json.object()
              .put("hookEventName", name)
              .put("permissionDecision", "deny")
              .put("permissionDecisionReason", refusal));
    }
    return goOn != null ? decision("block", goOn) : contextFor(name);
  }

  private Json likeGemini(String name) {
    String deny = refusal != null ? refusal : goOn;
    return deny != null ? decision("deny", deny) : contextFor(name);
  }

  private Json contextFor(String name) {
    return context == null
        ? Json.EMPTY_OBJECT
        : specific(Json.object().put("hookEventName", name).put("additionalContext", context));
  }

  private static Json specific(Json.ObjectBuilder output) {
    return Json.object().put("hookSpecificOutput", output.build()).build();
  }

  private static Json decision(String decision, String reason) {
    return Json.object().put("decision", decision).put("reason", reason).build();
  }

  private Json likeCursor() {
    if (refusal != null) {
      return Json.object()
          .put("permission", "deny")
          .put("user_message", refusal)
          .put("agent_message", refusal)
          .build();
    }
    if (goOn != null) {
      return Json.object().put("followup_message", goOn).build();
    }
    return context == null
        ? Json.EMPTY_OBJECT
        : Json.object().put("additional_context", context).build();
  }

  private Json plain() {
    Json.ObjectBuilder json = Json.object();
    if (refusal != null) {
      json.put("refusal", refusal);
    }
    if (goOn != null) {
      json.put("goOn", goOn);
    }
    return (context == null ? json : json.put("context", context)).build();
  }
}
