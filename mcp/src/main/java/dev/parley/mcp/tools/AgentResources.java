package dev.parley.mcp.tools;

import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Content;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Resource;
import java.util.List;
import java.util.function.Function;

/** Resources that a host can show its user or give to its model. Reading changes nothing. */
final class AgentResources {
  /** The URI of the inbox. */
  static final String INBOX = "parley://inbox";

  static final String LOCKS = "parley://locks";
  static final String TASKS = "parley://tasks";
  static final String BOARD = "parley://board";
  static final String ROSTER = "parley://roster";
  private static final String THREAD = "parley://thread/{id}";

  private static final String TYPE = "application/json";

  private final AgentContext context;

  AgentResources(AgentContext context) {
    this.context = context;
  }

  List<Resource> all() {
    return List.of(
        resource(INBOX, "inbox", "Your mail.", _ -> letters(MailFilter.ANY)),
        resource(
            THREAD,
            "thread",
            "Your mail in one conversation.",
            call -> letters(MailFilter.ANY.thread(call.filledIn()))),
        resource(LOCKS, "locks", "Who holds what.", _ -> new WhoTool(context).locks()),
        resource(TASKS, "tasks", "Open tasks.", _ -> new TaskTool(context).list()),
        resource(BOARD, "board", "Boards.", _ -> new BoardTool(context).list()),
        resource(ROSTER, "roster", "Who is here.", _ -> new WhoTool(context).roster()));
  }

  /** The URI of a conversation. */
  static String thread(String id) {
    return filled(THREAD, id);
  }

  private static String filled(String uri, String id) {
    return uri.replace("{id}", id);
  }

  private static Resource resource(
      String uri, String name, String description, Function<Call, Json> content) {
    return new Resource(
        uri,
        name,
        description,
        TYPE,
        call -> {
          String where = filled(uri, call.filledIn());
          Json read = Content.resource(where, TYPE, content.apply(call).toString());
          return Reply.of(Json.object().put("contents", Json.of(List.of(read))));
        });
  }

  private Json letters(MailFilter filter) {
    List<ReceivedMail> letters = context.agent().mail().inbox(filter);
    return Json.of(
        letters.stream()
            .map(letter -> ModelMailJson.of(letter, ModelMailJson.MOST_LISTED))
            .toList());
  }
}
