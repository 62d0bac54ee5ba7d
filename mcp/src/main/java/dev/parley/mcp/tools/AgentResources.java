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

  private static final String TYPE = "application/json";

  private final AgentContext context;

  AgentResources(AgentContext context) {
    this.context = context;
  }

  List<Resource> all() {
    return List.of(
        resource(INBOX, "inbox", "Your mail.", _ -> letters(MailFilter.ANY)),
        resource(
            "parley://thread/{id}",
            "thread",
            "Your mail in one conversation.",
            call -> letters(MailFilter.ANY.thread(call.filledIn()))),
        resource("parley://locks", "locks", "Who holds what.", _ -> new WhoTool(context).locks()),
        resource("parley://tasks", "tasks", "Open tasks.", _ -> new TaskTool(context).list()),
        resource("parley://board", "board", "Boards.", _ -> new BoardTool(context).list()),
        resource("parley://roster", "roster", "Who is here.", _ -> new WhoTool(context).roster()));
  }

  private static Resource resource(
      String uri, String name, String description, Function<Call, Json> content) {
    return new Resource(
        uri,
        name,
        description,
        TYPE,
        call -> {
          String where = uri.replace("{id}", call.filledIn());
          Json read = Content.resource(where, TYPE, content.apply(call).toString());
          return Reply.of(Json.object().put("contents", Json.of(List.of(read))));
        });
  }

  private Json letters(MailFilter filter) {
    List<ReceivedMail> letters = context.agent().mail().inbox(filter);
    return Json.of(
        letters.stream().map(letter -> LetterJson.of(letter, LetterJson.MOST_LISTED)).toList());
  }
}
