package dev.parley.cli.args;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.core.ParleyException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParserTest {
  private static final Parameter TOPIC = Parameter.required("topic", "where");
  private static final Parameter SHELL = Parameter.optional("shell", "which").choices("sh", "zsh");
  private static final Option TYPE = Option.value("--type", "type", "what").needed();
  private static final Option TO = Option.value("--to", "agent", "whom").repeated();
  private static final Option FOLLOW = Option.flag("--follow", "go on").letter("-f");
  private static final Option LAST = Option.value("--last", "n", "how many").letter("-n");

  private static final Description SEND =
      new Description(
          "send",
          Group.EVERYDAY,
          "send",
          "Sends.",
          List.of(TOPIC, SHELL),
          List.of(TYPE, TO, FOLLOW, LAST),
          List.of());

  private static final Description WORK =
      Description.family(
          "work",
          Group.EVERYDAY,
          "work",
          "Works.",
          "list",
          List.of(
              Description.sub("list", "list", List.of(), List.of(LAST)),
              Description.sub("add", "add", List.of(TOPIC), List.of(TYPE, TO))),
          List.of("parley work add x --type t", "parley work address"));

  private static final Description OLD =
      new Description("old", Group.EVERYDAY, "old", "Old.", List.of(TOPIC), List.of(), List.of())
          .movedTo(Map.of("add", "work add"));

  private static final Parser.Known KNOWN =
      new Parser.Known() {
        @Override
        public @Nullable Description describe(String command) {
          return switch (command) {
            case "send" -> SEND;
            case "work" -> WORK;
            case "old" -> OLD;
            default -> null;
          };
        }

        @Override
        public List<String> names() {
          return List.of("send", "receive");
        }
      };

  private static Arguments parse(String... args) {
    return Parser.parse(args, KNOWN);
  }

  private static ParleyException refusal(String... args) {
    return catchThrowableOfType(ParleyException.class, () -> parse(args).check());
  }

  @Test
  void commonOptionsAreAcceptedBeforeAndAfterTheCommand() {
    Arguments before = parse("--json", "--bus", "b", "--as=alice", "send", "notes", "--type", "t");
    Arguments after = parse("send", "notes", "--type", "t", "--json", "--bus=b", "--as", "alice");

    for (Arguments arguments : List.of(before, after)) {
      assertThat(arguments.has(CommonOptions.JSON)).isTrue();
      assertThat(arguments.value(CommonOptions.BUS)).isEqualTo("b");
      assertThat(arguments.value(CommonOptions.AS)).isEqualTo("alice");
      assertThat(arguments.word(TOPIC)).isEqualTo("notes");
      assertThat(arguments.value(TYPE)).isEqualTo("t");
    }
  }

  @Test
  void lettersCanBeJoinedAndTheirValueCanFollowAtOnce() {
    for (String[] args :
        new String[][] {{"send", "-fn", "5"}, {"send", "-fn5"}, {"send", "-f", "-n", "5"}}) {
      Arguments arguments = parse(args);
      assertThat(arguments.has(FOLLOW)).isTrue();
      assertThat(arguments.value(LAST)).isEqualTo("5");
    }
  }

  @Test
  void anOptionThatMayBeRepeatedKeepsAllItsValuesInOrder() {
    assertThat(parse("send", "--to", "b", "--to=a").values(TO)).containsExactly("b", "a");
    assertThat(refusal("send", "--type", "a", "--type", "b").code()).isEqualTo("given-twice");
  }

  @Test
  void twoHyphensEndTheOptions() {
    assertThat(parse("send", "--", "--json").word(TOPIC)).isEqualTo("--json");
    assertThat(parse("send", "-", "--type", "-").word(TOPIC)).isEqualTo("-");
  }

  @Test
  void aForgottenValueIsNoticedAndAHyphenedOneCanBeGivenAllTheSame() {
    assertThat(refusal("send", "notes", "--type", "--json").code()).isEqualTo("missing-value");
    assertThat(refusal("send", "notes", "--type").code()).isEqualTo("missing-value");
    assertThat(parse("send", "notes", "--type=--json").value(TYPE)).isEqualTo("--json");
    assertThat(parse("send", "notes", "--type", "-1").value(TYPE)).isEqualTo("-1");
    assertThat(refusal("send", "--follow=yes").code()).isEqualTo("unexpected-value");
  }

  @Test
  void whatIsMissingIsNamedWithTheUsage() {
    assertThat(refusal("send").what()).isEqualTo("<topic> is missing.");
    assertThat(refusal("send", "notes").what()).isEqualTo("--type <type> is missing.");
    assertThat(refusal("send", "notes").next())
        .isEqualTo("Usage: parley send <topic> [sh|zsh] --type <type> [options]");
  }

  @Test
  void whatIsTooMuchOrNotAmongTheChoicesIsRefused() {
    assertThat(refusal("send", "notes", "sh", "more").code()).isEqualTo("too-many-arguments");
    assertThat(refusal("send", "notes", "fish").next()).isEqualTo("Choose one of: sh, zsh.");
    assertThat(refusal("--color", "blue").code()).isEqualTo("bad-choice");
  }

  @Test
  void aChoiceMayBeTypedInAnyCase() {
    assertThat(parse("send", "notes", "ZSH").word(SHELL)).isEqualTo("zsh");
    assertThat(parse("--color", "Always").value(CommonOptions.COLOR)).isEqualTo("always");
  }

  @Test
  void aSubcommandHasWordsAndOptionsOfItsOwn() {
    Arguments add = parse("work", "add", "notes", "--type", "t");
    assertThat(add.subcommand()).isEqualTo("add");
    assertThat(add.word(TOPIC)).isEqualTo("notes");
    assertThat(parse("work", "--type", "t", "add", "notes").value(TYPE)).isEqualTo("t");

    assertThat(parse("work", "-n", "3").subcommand()).isEqualTo("list");
    assertThat(refusal("work", "add", "notes", "-n", "3").code()).isEqualTo("unknown-option");
    assertThat(refusal("work", "list", "--type", "t").code()).isEqualTo("unknown-option");
    assertThat(refusal("work", "--type", "t").next()).isEqualTo("It goes with parley work add.");
    assertThat(refusal("work", "add").next())
        .isEqualTo("Usage: parley work add <topic> --type <type> [options]");
  }

  @Test
  void anUnknownSubcommandIsAnsweredWithTheNearestOne() {
    assertThat(refusal("work", "ad").code()).isEqualTo("unknown-sub-command");
    assertThat(refusal("work", "ad").next()).startsWith("Did you mean add?");
  }

  @Test
  void aSubcommandShowsTheExamplesThatAreItsOwn() {
    assertThat(WORK.subcommands().getLast().examples())
        .containsExactly("parley work add x --type t");
  }

  @Test
  void anOldFormGoesOnWithAHintUnlessItMayMeanSomethingElse() {
    Arguments moved = parse("old", "add", "notes", "--type", "t");
    assertThat(moved.command()).isSameAs(WORK);
    assertThat(moved.subcommand()).isEqualTo("add");
    assertThat(moved.hint()).isEqualTo("parley old add is parley work add now.");

    assertThat(refusal("old", "add").code()).isEqualTo("moved-command");
    assertThat(refusal("old", "add").next()).contains("parley old -- add");
    assertThat(parse("old", "--", "add").word(TOPIC)).isEqualTo("add");
  }

  @Test
  void anOptionThatNobodyLookedAtIsKnownToHaveHadNoEffect() {
    Arguments arguments = parse("send", "notes", "--type", "t", "--follow");
    assertThat(arguments.ignored()).containsExactly("--follow", "--type");
    assertThat(arguments.has(FOLLOW)).isTrue();
    assertThat(arguments.value(TYPE)).isEqualTo("t");
    assertThat(arguments.ignored()).isEmpty();
  }

  @Test
  void anUnknownNameIsAnsweredWithTheNearestKnownOne() {
    assertThat(refusal("sned").next()).startsWith("Did you mean send?");
    assertThat(refusal("rec").next()).startsWith("Did you mean receive?");
    assertThat(refusal("send", "--typ", "x").next()).startsWith("Did you mean --type?");
    assertThat(refusal("send", "--jsno").next()).startsWith("Did you mean --json?");
    assertThat(refusal("send", "-x").code()).isEqualTo("unknown-option");
    assertThat(refusal("something-else").next()).doesNotContain("Did you mean");
    assertThat(refusal("x".repeat(100_000)).code()).isEqualTo("unknown-command");
  }
}
