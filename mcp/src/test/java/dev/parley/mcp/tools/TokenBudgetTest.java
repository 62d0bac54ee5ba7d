package dev.parley.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a model pays, counted with the tokenizer o200k_base. */
class TokenBudgetTest {
  private static final Encoding ENCODING =
      Encodings.newDefaultEncodingRegistry().getEncoding(EncodingType.O200K_BASE);

  @TempDir Path folder;
  private TwoAgents agents;

  @BeforeEach
  void begin() {
    agents = new TwoAgents(folder);
  }

  @AfterEach
  void end() {
    agents.close();
  }

  private static int tokens(String text) {
    return ENCODING.countTokens(text);
  }

  /** The README and docs/MCP.md say what was counted; ids make some answers vary a little. */
  private static void assertThatItIsShown(String what, int counted, int about) throws IOException {
    for (String file : List.of("README.md", "docs/MCP.md")) {
      String text = Files.readString(Path.of(System.getProperty("parley.root"), file));
      Matcher shown = Pattern.compile(Pattern.quote(what) + " ([0-9,]+)").matcher(text);
      assertThat(shown.find()).as(file + " shows: " + what).isTrue();
      assertThat(Integer.parseInt(shown.group(1).replace(",", "")))
          .as(file + ": " + what)
          .isBetween(counted - about, counted + about);
    }
  }

  @Test
  void allSchemasTogetherTakeAtMost2000Tokens() throws IOException {
    Json tools = agents.aliceClient.result("tools/list", Json.EMPTY_OBJECT).json("tools");
    assertThat(tools.items()).hasSizeBetween(8, 12);
    assertThat(tokens(tools.toString())).isLessThanOrEqualTo(2_000);
    assertThatItIsShown("all schemas", tokens(tools.toString()), 0);
  }

  @Test
  void theInstructionsTakeAtMost300Tokens() throws IOException {
    String instructions =
        agents.aliceClient.result("initialize", Json.EMPTY_OBJECT).text("instructions", "");
    assertThat(tokens(instructions)).isBetween(50, 300);
    assertThatItIsShown("instructions", tokens(instructions), 0);
  }

  @Test
  void aSendIsAnsweredInAtMost60Tokens() throws IOException {
    String answer =
        String.join("\n", agents.aliceClient.call("send", "{\"to\":\"bob\",\"body\":\"hello\"}"));
    assertThat(answer).contains("stored");
    assertThat(tokens(answer)).isLessThanOrEqualTo(60);
    assertThatItIsShown("the answer to a `send`", tokens(answer), 5);
  }

  @Test
  void anEmptyInboxTakesAtMost20Tokens() throws IOException {
    String answer = String.join("\n", agents.aliceClient.call("inbox", "{}"));
    assertThat(tokens(answer)).isLessThanOrEqualTo(20);
    assertThatItIsShown("an empty inbox", tokens(answer), 0);
  }
}
