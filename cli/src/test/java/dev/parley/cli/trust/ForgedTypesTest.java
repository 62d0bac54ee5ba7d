package dev.parley.cli.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.HostileBus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Forges lines of every type that docs/LOG.md lists, with every field in every form that it should
 * not have, and runs every command on what comes of it.
 */
class ForgedTypesTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "-1",
          "0",
          "9223372036854775807",
          "-9223372036854775808",
          "1e308",
          "0.5",
          "\"\"",
          "\"\\u0000\\u001b[2J\\u202e\"",
          "\"../../../etc/passwd\"",
          "\"alice\"",
          "\"board-1\"",
          "\"" + "x".repeat(5000) + "\"",
          "\"" + "*/".repeat(500) + "**\"",
          "[]",
          "{}",
          "[null,1,\"a\",[],{}]",
          "[" + "\"src/A.java\",".repeat(300) + "\"**\"]",
          "[".repeat(50) + "]".repeat(50),
          "{\"through\":9223372036854775807,\"id\":\"x\",\"except\":[-1]}");

  @TempDir private Path folder;

  private record Type(String name, List<String> topics, List<String> fields) {}

  @Test
  void noForgedLineOfAnyTypeBreaksACommandOrReachesAnyOtherFile() throws IOException {
    HostileBus bus = new HostileBus(folder);
    Map<String, String> before = bus.outside();
    int forged = 0;
    for (Type type : types()) {
      if (type.name.equals("rules")) {
        continue; // it would stop everything else; the corpus has it
      }
      for (String topic : type.topics) {
        for (String sender : List.of("alice", "mallory")) {
          bus.forge(topic, sender, type.name, "null", 1);
          bus.forge(topic, sender, type.name, "[1]", 1);
        }
        for (String field : type.fields) {
          List<String> payloads = new ArrayList<>();
          for (String value : VALUES) {
            payloads.add(payload(field, value));
          }
          bus.forge(topic, "alice", type.name, payloads);
          forged += payloads.size();
        }
      }
    }
    System.out.println("[proof] " + forged + " forged lines");

    for (String command : HostileBus.COMMANDS) {
      HostileCorpusTest.check(command, HostileCorpusTest.timed(command, bus));
    }
    assertThat(bus.outside()).isEqualTo(before);
    bus.everythingWorks();
  }

  /** What the line would need to be obeyed, and one field that is not as it should be. */
  private static String payload(String field, String value) {
    StringBuilder json = new StringBuilder("{\"").append(field).append("\":").append(value);
    Map.of("session", "\"{session}\"", "task", "\"1\"", "board", "\"board-1\"", "token", "{token}")
        .forEach((name, usual) -> {
          if (!name.equals(field)) {
            json.append(",\"").append(name).append("\":").append(usual);
          }
        });
    return json.append('}').toString();
  }

  private static List<Type> types() throws IOException {
    String page = Files.readString(Path.of(System.getProperty("parley.root"), "docs", "LOG.md"));
    Matcher row = ROW.matcher(page.substring(page.indexOf("## Types")));
    List<Type> types = new ArrayList<>();
    while (row.find()) {
      List<String> topics = new ArrayList<>();
      for (String topic : quoted(row.group(2))) {
        topics.add(
            topic
                .replace("<agent>", "bob")
                .replace("<wave>", "wave-1")
                .replace("<name>", "swarm")
                .replace("<session>", "s-1")
                .replace("<run>", "run_20261118-120000-1"));
      }
      types.add(new Type(row.group(1), topics, quoted(row.group(3))));
    }
    assertThat(types).hasSizeGreaterThan(50);
    return types;
  }

  /** The words in back quotes that can be names of fields or topics. */
  private static List<String> quoted(String cell) {
    List<String> words = new ArrayList<>();
    Matcher quoted = QUOTED.matcher(cell);
    while (quoted.find()) {
      if (quoted.group(1).matches("[A-Za-z.<>-]+")) {
        words.add(quoted.group(1));
      }
    }
    return words;
  }
}
