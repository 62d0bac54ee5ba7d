package dev.parley.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.GoldenFile;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The sentences for all codes are in one file, so that a change of wording is seen in review. */
class MessagesTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/parley/text");
  private static final Pattern CASE =
      Pattern.compile("^      case ((?:\"[a-z-]+\",?\\s*)+)->", Pattern.MULTILINE);
  private static final Pattern CODE = Pattern.compile("\"([a-z-]+)\"");

  /** Details of every kind: each sentence takes those that it needs. */
  private static Map<String, Json> details() {
    Map<String, Json> details = new LinkedHashMap<>();
    for (String field :
        List.of(
            "agent",
            "from",
            "thread",
            "digest",
            "line",
            "target",
            "path",
            "what",
            "status",
            "reserved",
            "priority",
            "policy",
            "phase",
            "note",
            "confidence",
            "checkpoint",
            "key")) {
      details.put(field, Json.of("<" + field + ">"));
    }
    details.put("place", Json.of("notes@120"));
    details.put("name", Json.of("bob"));
    details.put("holder", Json.of("bob"));
    details.put("by", Json.of("bob"));
    details.put("owner", Json.of("bob"));
    details.put("state", Json.of("claimed"));
    details.put("problem", Json.of("it has an empty part"));
    details.put("limit", Json.of("leases"));
    details.put("id", Json.of("abc-1"));
    details.put("heard", Json.of("2026-11-15T21:28:00.000000Z"));
    details.put("since", Json.of("2026-11-15T21:28:00.000000Z"));
    details.put("until", Json.of("2026-11-15T21:58:00.000000Z"));
    details.put("seconds", Json.of(5));
    details.put("staleAfter", Json.of(600));
    details.put("most", Json.of(20));
    details.put("mostDays", Json.of(365));
    details.put("least", Json.of(1));
    details.put("bytes", Json.of(2048));
    details.put("best", Json.of(10));
    details.put("count", Json.of(21));
    details.put("value", Json.of(-1));
    details.put("score", Json.of(11));
    details.put("characters", Json.of(200));
    details.put("rules", Json.of(9));
    details.put("known", Json.of(3));
    details.put("tried", Json.of(3));
    details.put("ready", Json.of(0));
    details.put("open", Json.of(2));
    details.put("recoverable", Json.of(true));
    details.put("paths", Json.ofStrings(List.of("src/a.ts", "src/b.ts")));
    details.put("inTheWay", Json.ofStrings(List.of("bob", "cid")));
    details.put("waitsFor", Json.ofStrings(List.of("1.1", "1.2")));
    details.put("electors", Json.ofStrings(List.of("CA", "CSO")));
    details.put("states", Json.ofStrings(List.of("ready", "done")));
    details.put("statuses", Json.ofStrings(List.of("RUNNING", "BLOCKED")));
    details.put("cycle", Json.ofStrings(List.of("alice", "src/a.ts", "bob", "alice")));
    return details;
  }

  /** The same with other values for some fields. */
  private static Map<String, Json> of(Object... fields) {
    Map<String, Json> details = details();
    for (int i = 0; i < fields.length; i += 2) {
      Object value = fields[i + 1];
      details.put(
          (String) fields[i],
          value instanceof Json json
              ? json
              : value instanceof Integer number
                  ? Json.of(number)
                  : value instanceof Boolean flag ? Json.of(flag) : Json.of((String) value));
    }
    return details;
  }

  @Test
  void everySentenceIsAsInTheCheckedInFile() throws IOException {
    Set<String> worded = codes("Messages.java");
    Set<String> codes = codes("PlainSteps.java", "ShellSteps.java");
    codes.addAll(worded);
    assertThat(codes).hasSizeGreaterThan(60);
    StringBuilder text = new StringBuilder();
    for (String code : codes) {
      if (code.equals("not-yours")) {
        say(text, code, of("task", "1.2"));
      } else if (code.equals("not-decided") || code.equals("not-now")) {
        say(text, code, of("board", "board-1", "missing", Json.ofStrings(List.of("CA", "CSO"))));
      } else if (worded.contains(code)) {
        say(text, code, of("task", "1.2", "board", "board-1"));
      } else {
        sayStep(text, code);
      }
    }
    text.append("Variants\n\n");
    say(text, "already-ended", of());
    say(
        text,
        "bad-limits",
        of(
            "maxLine",
            10,
            "maxDepth",
            64,
            "leastLine",
            1024,
            "mostLine",
            4096,
            "leastDepth",
            2,
            "mostDepth",
            512));
    say(text, "bad-limits", of("rememberedWriters", 0));
    say(text, "bad-paths", of("given", 99));
    say(text, "bad-paths", of("given", 0));
    say(text, "bad-task", of());
    for (String problem : List.of("character", "empty-part", "long-name", "long-part")) {
      say(text, "bad-topic", of("problem", problem));
    }
    say(text, "held", of("waiting", true));
    for (String problem : List.of("no-topic", "other-log", "past-end", "replaced", "within-line")) {
      say(text, "lost-place", of("problem", problem));
    }
    say(text, "lost-place", of("problem", "past-end", "end", 100));
    say(text, "no-such-session", of("board", "board-9", "nearest", "board-1"));
    say(text, "not-yours", of("task", "1.2", "state", "ready"));
    say(text, "not-yours", of("board", "board-1"));
    say(text, "nothing-ready", of("open", 1));
    say(text, "nothing-ready", of("ready", 1));
    say(
        text,
        "nothing-ready",
        of(
            "ready",
            2,
            "held",
            Json.of(List.of(Json.object().put("task", "1.2").put("holder", "bob").build()))));
    say(text, "unknown-recipient", of("nearest", "ben"));
    say(text, "unknown-task", of("missing", Json.ofStrings(List.of("1.1"))));
    say(text, "would-deadlock", of("by", "claim"));
    GoldenFile.of("messages.txt").check(text.toString());
  }

  private static Set<String> codes(String... files) throws IOException {
    Set<String> codes = new TreeSet<>();
    for (String file : files) {
      CASE.matcher(Files.readString(SOURCES.resolve(file)))
          .results()
          .forEach(found ->
              CODE.matcher(found.group(1)).results().forEach(code -> codes.add(code.group(1))));
    }
    return codes;
  }

  /** Where the message comes with the error, only the next step is chosen by the code. */
  private static void sayStep(StringBuilder text, String code) {
    say(text, code, ParleyException.refused(code, "(what happened)", ParleyException.NEXT_BY_CODE));
  }

  private static void say(StringBuilder text, String code, Map<String, Json> details) {
    Json.ObjectBuilder json = Json.object();
    details.forEach(json::put);
    say(text, code, ParleyException.refused(code, json));
  }

  private static void say(StringBuilder text, String code, ParleyException error) {
    Explanation shell = Explanation.of(error);
    Explanation plain = Explanation.of(error, NextSteps.PLAIN, Object::toString);
    text.append(code).append('\n');
    text.append("  ").append(shell.message()).append('\n');
    text.append("  > ").append(shell.next()).append('\n');
    if (!plain.next().equals(shell.next())) {
      text.append("  - ").append(plain.next()).append('\n');
    }
    text.append('\n');
  }
}
