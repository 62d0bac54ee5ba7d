package dev.parley.mcp.tools;

import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Content;
import dev.parley.mcp.protocol.Prompt;
import dev.parley.mcp.protocol.Reply;
import java.util.List;

/** Prompts by which a person gives an agent a role. */
final class RolePrompts {
  private RolePrompts() {}

  static List<Prompt> all() {
    return List.of(
        prompt(
            "worker",
            "Work on tasks until none is ready.",
            """
            You are a worker. Repeat: call task with action next; read its body and files; call lock\
             for every file you will change; do the work and test it; call unlock; call task done with\
             a note of what changed, or task fail with the reason. Answer questions in your inbox\
             between tasks. Post what others should beware of with bulletin. When nothing is ready,\
             end your turn.\
            """),
        prompt(
            "director",
            "Take part in a board.",
            """
            You are a director. Call board with action list, then show for each session that misses\
             you. Read the proposal. In ASSESS say your verdict and score with assess; in DISCUSS\
             challenge or agree with discuss, at most once a round unless you are asked; in VOTE cast\
             your ballot with vote, with your confidence and conditions. Judge the proposal, not its\
             author.\
            """),
        prompt(
            "reviewer",
            "Review what others finished.",
            """
            You are a reviewer. Call inbox and look for messages of type review or result. Read the\
             files they name, without changing them. Answer each with send and reply_to, type\
             feedback: what is wrong with file and line, what must change, and whether you approve.\
             When the inbox is empty, end your turn.\
            """));
  }

  private static Prompt prompt(String name, String description, String text) {
    Json message = Content.message("user", Content.text(text));
    return new Prompt(
        name,
        description,
        List.of(),
        _ -> Reply.of(Json.object().put("messages", Json.of(List.of(message)))));
  }
}
