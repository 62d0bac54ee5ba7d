package dev.parley.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  /** More than 200 invalid names that an attacker might try. */
  private static List<String> hostileNames() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "",
                ".",
                "..",
                "...",
                "/",
                "\\",
                "~",
                "-",
                "_",
                " ",
                "a.",
                ".a",
                "a..b",
                "a/b",
                "/a",
                "a/../../x",
                "../x",
                "..\\x",
                "C:\\x",
                "a\\b",
                "-rf",
                "--help",
                "_x",
                "a.-b",
                "a._b",
                "a b",
                " a",
                "a ",
                "a\tb",
                "a\nb",
                "a\r",
                "a\0",
                "a\0.jsonl",
                "ä",
                "a.ü",
                "日本",
                "🙂",
                "a:b",
                "CON:",
                "a\u0301",
                "a!b",
                "a^b",
                "(a)",
                "a=",
                "a*",
                "a?",
                "a[0]",
                "{a}",
                "$HOME",
                "`id`",
                "$(id)",
                "a;b",
                "a|b",
                "a&b",
                "a>b",
                "a<b",
                "a'b",
                "a\"b",
                "a#b",
                "a%2e%2e",
                "%2e%2e%2fx",
                "a@1",
                "a=b",
                "a+b",
                "a,b",
                "~root",
                "a~",
                "~a",
                "a~~b",
                "a~.b",
                "a.~b",
                "a~-b",
                "\u202ea",
                "a\u0085b",
                "a\u2028b",
                "\ufeffa",
                "a\u200bb",
                "а",
                "ａ",
                "x".repeat(65),
                "x".repeat(201),
                "a.".repeat(100) + "a",
                ("x".repeat(64) + ".").repeat(4) + "x"));
    for (char c = 0; c < 0x30; c++) {
      names.add("a" + c + "b");
    }
    for (char c = 0x7f; c < 0xc0; c++) {
      names.add("a" + c);
    }
    for (String part : List.of("..", "/", "\n", "\0", " ", "*", "\u2029")) {
      names.add("ok." + part);
      names.add(part + ".ok");
      names.add("ok." + part + ".ok");
    }
    names.removeAll(List.of("a-b", "a.b", "ok...ok")); // the loops above also make some valid ones
    names.add("ok...ok");
    return names.stream().distinct().toList();
  }

  @Test
  void twoHundredHostileTopicNamesAreRefused() {
    List<String> names = hostileNames();
    assertThat(names).hasSizeGreaterThan(200);
    for (String name : names) {
      assertThatThrownBy(() -> new Topic(name))
          .as("topic <%s>", name)
          .isInstanceOfSatisfying(
              ParleyException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(ParleyException.Kind.INVALID);
                assertThat(e.code()).isEqualTo("bad-topic");
                assertThat(e.isWorded()).isFalse();
                assertThat(e.details().fields()).containsKeys("name", "problem");
                assertThat(e.what()).matches("[\\p{Print}…]+").hasSizeLessThan(700);
              });
    }
  }

  @Test
  void theSameNamesAreRefusedForAgents() {
    for (String name : hostileNames()) {
      assertThat(AgentName.isValid(name)).as("agent <%s>", name).isFalse();
    }
    assertThatThrownBy(() -> Message.of("a/b", "note", Json.NULL))
        .isInstanceOf(ParleyException.class);
  }

  @Test
  void randomStringsPassOnlyIfTheyFitTheGrammar() {
    Random random = Seed.random("randomStringsPassOnlyIfTheyFitTheGrammar");
    String alphabet = "aZ0._-~ /\n";
    for (int i = 0; i < 100_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int length = random.nextInt(8); length >= 0; length--) {
        name.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String part = "[A-Za-z0-9][A-Za-z0-9_-]*(~[A-Za-z0-9][A-Za-z0-9_-]*)*";
      assertThat(Topic.isValid(name.toString()))
          .as("<%s>", name)
          .isEqualTo(name.toString().matches(part + "(\\." + part + ")*"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "ledger", "mail.worker-1~1-x", "bulletin.wave-10", "A.B_c.0-9", "0"})
  void goodTopicsAreTaken(String name) {
    assertThat(new Topic(name)).hasToString(name);
  }

  @Test
  void limitsOfLengthAreExact() {
    assertThat(Topic.isValid("x".repeat(Topic.MAX_PART))).isTrue();
    assertThat(Topic.isValid("x".repeat(Topic.MAX_PART + 1))).isFalse();
    String part = "x".repeat(49) + ".";
    assertThat(Topic.isValid(part.repeat(4).substring(0, Topic.MAX_NAME - 1) + "y")).isTrue();
    assertThat(Topic.isValid(part.repeat(4) + "y")).isFalse();
    assertThat(AgentName.isValid("x".repeat(AgentName.MAX_NAME))).isTrue();
    assertThat(AgentName.isValid("x".repeat(AgentName.MAX_NAME + 1))).isFalse();
  }

  @Test
  void anAgentsDotsBecomeTildesInATopic() {
    AgentName name = new AgentName("worker-1.1-x");

    assertThat(name.topicPart()).isEqualTo("worker-1~1-x");
    assertThat(Topic.isValid("mail." + name.topicPart())).isTrue();
  }

  @Test
  void seed05APrefixCoversItselfAndWhatIsUnderIt() {
    Prefix wave = Prefix.of("wave-1");

    assertThat(wave.covers(new Topic("wave-1"))).isTrue();
    assertThat(wave.covers(new Topic("wave-1.board"))).isTrue();
    assertThat(wave.covers(new Topic("wave-10"))).isFalse();
    assertThat(wave.covers(new Topic("x.wave-1"))).isFalse();
    assertThat(Prefix.ALL.covers(new Topic("anything"))).isTrue();
  }

  @Test
  void aTypeHasALimit() {
    assertThat(Message.of("a", "t".repeat(Message.MAX_TYPE), Json.NULL).type())
        .hasSize(Message.MAX_TYPE);
    for (String type : List.of("", "t".repeat(Message.MAX_TYPE + 1))) {
      assertThatThrownBy(() -> Message.of("a", type, Json.NULL))
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("bad-type"));
    }
  }
}
