package dev.parley.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TomlArrayTest {
  private static TomlArray array(String text) {
    return TomlArray.at(text, text.indexOf('['));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a = []\nb = 1",
        "a = [ ]",
        "a = [\n]\n",
        "a = [\"/x\"]",
        "a = [ \"/x\", '/y' ] # [\"/z\"]\n",
        "a = [\"/x\",]",
        "a = [\"/x\", \"/y\", ]",
        "a = [\n  \"/x\"\n]\n",
        "a = [\n\t\"/x\", # ] the first\n\t# \"/old\",\n\t\"/y\", # the second\n]\nb = 1\n",
        "a = [\n    \"/x\",\n    \"/y\" # the last\n    # nothing more\n    ]\n",
        "a = [\r\n  \"/x\",\r\n  \"/y\"\r\n]\r\n",
        "a = [\"/x\",\n     \"/y\"]\n",
        "a = [ # why\n  \"/x, with ] and \\\" in it\", '/y # no comment'\n]\n",
      })
  void whatIsAddedComesLastAndItsRemovalGivesTheSameTextAgain(String text) {
    List<String> before = array(text).values();
    String one = array(text).with("/new");
    String two = array(one).with("/other \"one\"");

    List<String> after = new ArrayList<>(before);
    after.add("/new");
    assertThat(array(one).values()).isEqualTo(after);
    assertThat(array(two).values()).endsWith("/new", "/other \"one\"");
    assertThat(array(two).with("/new")).as("twice is once").isEqualTo(two);
    assertThat(one.lines().filter(line -> line.contains("#")).toList())
        .as("comments stay")
        .hasSameSizeAs(text.lines().filter(line -> line.contains("#")).toList());
    assertThat(array(two).without("/other \"one\"")).isEqualTo(one);
    assertThat(array(one).without("/new")).isEqualTo(text);
    String otherFirst = array(array(two).without("/new")).without("/other \"one\"");
    assertThat(otherFirst).as("in the other order").isEqualTo(text);
    assertThat(array(text).without("/never there")).isEqualTo(text);
  }

  @Test
  void anArrayOfAnythingElseIsLeftAlone() {
    for (String odd :
        List.of(
            "[1]",
            "[\"a\" \"b\"]",
            "[[\"a\"]]",
            "[\"a\"",
            "[,]",
            "[\"\"\"a\nb\"\"\"]",
            "[\"a\n\"]")) {
      assertThat(array(odd)).as(odd).isNull();
    }
  }
}
