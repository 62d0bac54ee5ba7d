package dev.parley.dialects.markdown;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.core.Seed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Messages of every form a journal can hold, with a liking for trouble. */
final class Generated {
  private static final String[] LINES = {
    "---",
    "--- ",
    "---\r",
    "\\---",
    "\\\\---",
    "```",
    "```markdown",
    "messageId: MSG-20260126-101500-claude-5f2",
    "msg_id: x",
    "[2026-01-26 10:15:00] FACT: old",
    "- item",
    "",
    "",
    "----",
    "***",
    "plain text with ---",
    "\ttab",
  };

  private final Random random;

  Generated(Random random) {
    this.random = random;
  }

  JournalMessage message(int number) {
    return new JournalMessage(
        "MSG-20260126-101500-claude-" + number,
        random.nextInt(10) == 0 ? word() : JournalType.names().get(random.nextInt(9)),
        random.nextInt(10) == 0 ? "Somebody Else (" + word() + ")" : "claude-research-" + number,
        random.nextInt(10) == 0 ? "2026-01-26 10:15" : "2026-01-26T10:15:00Z",
        maybe("run_" + word()),
        maybe("TASK-" + word()),
        maybe("MSG-20260126-101500-codex-" + random.nextInt(1 + number)),
        list(),
        list(),
        more(),
        body());
  }

  private String word() {
    return Integer.toString(random.nextInt(1 << 20), 36);
  }

  private @Nullable String maybe(String text) {
    return random.nextInt(4) == 0 ? null : text;
  }

  private List<String> list() {
    List<String> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(random.nextInt(4) == 0 ? value() : "src/" + word() + ".ts");
    }
    return items;
  }

  private Map<String, String> more() {
    Map<String, String> more = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      more.put("x-" + word(), value());
    }
    return more;
  }

  private String value() {
    return Seed.nastyText(random, 12);
  }

  private String body() {
    StringBuilder body = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      body.append(
          random.nextInt(3) == 0
              ? whole(Seed.nastyText(random, 30))
              : LINES[random.nextInt(LINES.length)]);
      if (i > 1 || random.nextInt(4) == 0) {
        body.append('\n');
      }
    }
    return body.toString();
  }

  /** Half a surrogate is no text, and no file in UTF-8 can hold one. */
  private static String whole(String text) {
    return new String(text.getBytes(UTF_8), UTF_8);
  }
}
