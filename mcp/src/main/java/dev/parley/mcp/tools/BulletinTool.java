package dev.parley.mcp.tools;

import dev.parley.coordination.bulletin.Bulletins;
import dev.parley.coordination.bulletin.IntentConflict;
import dev.parley.coordination.bulletin.Notice;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;
import java.util.List;

/** Reads and posts the notices of a wave of workers. */
final class BulletinTool {
  private static final int MOST_LISTED = 20;
  private static final String USUAL_WAVE = "wave-1";

  private final AgentContext context;

  BulletinTool(AgentContext context) {
    this.context = context;
  }

  Tool tool() {
    return new Tool(
        "bulletin",
        "Notices of parallel workers. Without text: read them. With text: post one.",
        Schema.of()
            .text("wave", "which board (the newest)")
            .choice("kind", "", "discovery", "warning", "intent", "context")
            .text("text", "")
            .build(),
        false,
        this::answer);
  }

  private Reply answer(Call call) {
    Fields arguments = call.arguments();
    String text = arguments.text("text", "");
    String wave = arguments.text("wave", newest());
    return text.isBlank() ? context.answer(list(wave)) : post(wave, arguments, text);
  }

  private String newest() {
    List<String> waves = context.parley().bulletins().waves();
    return waves.isEmpty() ? USUAL_WAVE : waves.getLast();
  }

  private Reply post(String wave, Fields arguments, String text) {
    Notice.Kind kind = Notice.Kind.find(arguments.text("kind", "discovery"));
    if (kind == null) {
      throw ParleyException.invalid(
          "bad-kind", "There is no such kind.", "Use discovery, warning, intent or context.");
    }
    Bulletins.Posted posted = context.agent().post(wave, kind, text, List.of());
    Json.ObjectBuilder answer = Json.object().put("state", "posted").put("wave", wave);
    if (!posted.overlaps().isEmpty()) {
      answer.put(
          "also_at_it",
          Json.ofStrings(
              posted.overlaps().stream().map(IntentConflict::agent).distinct().toList()));
    }
    return context.answer(answer.build());
  }

  Json list(String wave) {
    List<Bulletins.Listed> all = context.parley().bulletins().notices(wave);
    List<Json> newest =
        all.subList(Math.max(0, all.size() - MOST_LISTED), all.size()).stream()
            .map(Bulletins.Listed::notice)
            .map(notice ->
                Json.object()
                    .put("kind", notice.kind().word())
                    .put("from", Json.ofStrings(notice.authors()))
                    .put("text", notice.text())
                    .build())
            .toList();
    return Json.object().put("wave", wave).put("notices", Json.of(newest)).build();
  }
}
