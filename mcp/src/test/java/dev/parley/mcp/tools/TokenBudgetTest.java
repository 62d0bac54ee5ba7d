package dev.parley.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.parley.core.json.Json;
import java.nio.file.Path;
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

  @Test
  void allSchemasTogetherTakeAtMost2000Tokens() {
    Json tools = agents.aliceClient.result("tools/list", Json.EMPTY_OBJECT).json("tools");
    assertThat(tools.items()).hasSizeBetween(8, 12);
    System.out.println("schemas: " + tokens(tools.toString()) + " tokens");
    assertThat(tokens(tools.toString())).isLessThanOrEqualTo(2_000);
  }

  @Test
  void theInstructionsTakeAtMost300Tokens() {
    String instructions =
        agents.aliceClient.result("initialize", Json.EMPTY_OBJECT).text("instructions", "");
    System.out.println("instructions: " + tokens(instructions) + " tokens");
    assertThat(tokens(instructions)).isBetween(50, 300);
  }

  @Test
  void aSendIsAnsweredInAtMost60Tokens() {
    String answer =
        String.join("\n", agents.aliceClient.call("send", "{\"to\":\"bob\",\"body\":\"hello\"}"));
    System.out.println("send: " + tokens(answer) + " tokens: " + answer);
    assertThat(answer).contains("stored");
    assertThat(tokens(answer)).isLessThanOrEqualTo(60);
  }

  @Test
  void anEmptyInboxTakesAtMost20Tokens() {
    String answer = String.join("\n", agents.aliceClient.call("inbox", "{}"));
    System.out.println("empty inbox: " + tokens(answer) + " tokens: " + answer);
    assertThat(tokens(answer)).isLessThanOrEqualTo(20);
  }
}
