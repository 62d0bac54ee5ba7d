package dev.parley.mcp.tools;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** Searches mail and bulletins by reading every line. */
final class SearchTool {
  private static final List<String> WHERE = List.of("mail", "bulletin");
  private static final int MOST_FOUND = 10;
  private static final int EXCERPT = 200;

  private final AgentContext context;

  SearchTool(AgentContext context) {
    this.context = context;
  }

  Tool tool() {
    return new Tool(
        "search",
        "Find what was said in mail and bulletins; the newest 10.",
        Schema.of().text("text", "").needs("text").build(),
        true,
        this::answer);
  }

  private Reply answer(Call call) {
    String wanted = call.arguments().text("text", "").strip().toLowerCase(Locale.ROOT);
    if (wanted.isEmpty()) {
      throw ParleyException.invalid("no-text", "There is nothing to find.", "Give text.");
    }
    List<Found> all = new ArrayList<>();
    for (String root : WHERE) {
      Log log = context.parley().bus().log();
      for (Topic topic : log.topics(new Prefix(new Topic(root)))) {
        all.addAll(search(log, topic, wanted));
      }
    }
    all.sort(Comparator.comparing((Found found) -> found.envelope().timestamp()).reversed());
    List<Json> found = all.stream().limit(MOST_FOUND).map(Found::toJson).toList();
    return context.answer(Json.object().put("found", Json.of(found)).build());
  }

  private record Found(Envelope envelope, String text, int at) {
    Json toJson() {
      int from = Math.max(0, at - EXCERPT / 2);
      String excerpt = ModelMailJson.cut(text.substring(from), EXCERPT);
      return Json.object()
          .put("from", envelope.sender())
          .put("where", envelope.topic().name() + "@" + envelope.position().value())
          .put("time", envelope.timestamp())
          .put("text", excerpt)
          .build();
    }
  }

  private static Deque<Found> search(Log log, Topic topic, String wanted) {
    Deque<Found> found = new ArrayDeque<>();
    WholeTopic.forEach(
        log,
        topic,
        envelope -> {
          Fields payload = Fields.of(envelope.payload());
          String text =
              String.join(
                  "\n",
                  List.of(
                      payload.text("subject", ""),
                      payload.text("body", ""),
                      payload.text("text", "")));
          int at = text.toLowerCase(Locale.ROOT).indexOf(wanted);
          if (at >= 0) {
            found.addLast(new Found(envelope, text, Math.min(at, text.length())));
            if (found.size() > MOST_FOUND) {
              found.removeFirst();
            }
          }
        });
    return found;
  }
}
